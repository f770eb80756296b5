// Finds evals and models on the front page: hides the rows and the models' columns that do not fit.
(() => {
  const box = document.querySelector(".rk-search");
  if (!box) return;
  const input = box.querySelector("input"), said = box.querySelector("[role=status]");
  const folded = (text) => text.normalize("NFKD").toLowerCase();
  const tables = [...document.querySelectorAll("figure.rk-table table")].filter((table) => table.tHead);
  // The head of each column: a group's own stand in the row below it, the others take both rows.
  const headsOf = ({ rows: [first, second] }) => {
    const below = [...(second?.cells ?? [])];
    return [...first.cells].flatMap((head) => head.scope === "colgroup" ? below.splice(0, head.colSpan) : [head]);
  };
  const find = () => {
    const words = folded(input.value).split(/\s+/).filter(Boolean);
    const fits = (text) => words.every((word) => folded(text).includes(word));
    let shown = 0, all = 0, scores = "";
    for (const table of tables) {
      table.closest(".rk-scroll")?.scrollTo(0, 0);
      const heads = headsOf(table.tHead);
      const list = table.closest(".rk-index") !== null;
      // A model's name keeps its column, or an eval's where models are the rows; the rows that have a
      // score there then stay, and so do their names.
      const ofColumns = heads.filter((head) => head.dataset.model !== undefined).length;
      const columns = list || !words.length ? [] : heads.map((head) => head.dataset.model !== undefined && fits(head.textContent));
      const model = columns.some(Boolean);
      heads.forEach((head, k) => { head.hidden = model && k > 0 && !columns[k]; });
      for (const group of table.tHead.querySelectorAll("[scope=colgroup]")) group.hidden = model;
      let rows = 0, kept = 0;
      for (const body of table.tBodies) {
        let left = 0;
        for (const row of body.rows) {
          if (row.classList.contains("rk-section")) continue;
          const text = list ? `${row.textContent} ${row.dataset.models}` : row.cells[0].textContent;
          const scored = [...row.cells].some((cell, k) => columns[k] && cell.dataset.value !== undefined);
          row.hidden = model ? !scored : !fits(text);
          [...row.cells].forEach((cell, k) => { cell.hidden = model && k > 0 && !columns[k]; });
          left += !row.hidden;
          rows += 1;
        }
        kept += left;
        const section = body.querySelector(".rk-section");
        if (section) section.hidden = left === 0;
      }
      // Evals as rows are not told: each is one of the reports.
      const ofModels = heads[0].textContent.trim() === "Model";
      const named = columns.filter(Boolean).length;
      if (list) [shown, all] = [kept, rows];
      else if (ofModels) scores = `${model ? `${named} of ${ofColumns} evals, ` : ""}${kept} of ${rows} models, `;
      else if (model) scores = `${named} of ${ofColumns} models, `;
    }
    said.textContent = words.length ? `${scores}${shown} of ${all} reports` : "";
  };
  input.addEventListener("input", find);
  box.hidden = false;
  if (input.value) find(); // what a browser keeps over a reload
})();
