// Finds evals and models on the front page: hides the rows and the models' columns that do not fit.
(() => {
  const box = document.querySelector(".rk-search");
  if (!box) return;
  const input = box.querySelector("input"), said = box.querySelector("[role=status]");
  const folded = (text) => text.normalize("NFKD").toLowerCase();
  const tables = [...document.querySelectorAll("figure.rk-table table")].filter((table) => table.tHead);
  const find = () => {
    const words = folded(input.value).split(/\s+/).filter(Boolean);
    const fits = (text) => words.every((word) => folded(text).includes(word));
    let shown = 0, all = 0, models = "";
    for (const table of tables) {
      table.closest(".rk-scroll")?.scrollTo(0, 0);
      const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
      const list = table.closest(".rk-index") !== null;
      // A model's name keeps its column; every row then stays, and so does the eval's name.
      const columns = list || !words.length ? [] : heads.map((head, k) => k > 0 && fits(head.textContent));
      const model = columns.some(Boolean);
      heads.forEach((head, k) => { head.hidden = model && k > 0 && !columns[k]; });
      if (model) {
        const named = heads.filter((head) => head.hasAttribute("data-model"));
        models = `${named.filter((head) => !head.hidden).length} of ${named.length} models, `;
      }
      for (const body of table.tBodies) {
        let left = 0;
        for (const row of body.rows) {
          if (row.classList.contains("rk-section")) continue;
          const text = list ? `${row.textContent} ${row.dataset.models}` : row.cells[0].textContent;
          row.hidden = !model && !fits(text);
          [...row.cells].forEach((cell, k) => { cell.hidden = model && k > 0 && !columns[k]; });
          left += !row.hidden;
          if (list) { all += 1; shown += !row.hidden; }
        }
        const section = body.querySelector(".rk-section");
        if (section) section.hidden = left === 0;
      }
    }
    said.textContent = words.length ? `${models}${shown} of ${all} reports` : "";
  };
  input.addEventListener("input", find);
  box.hidden = false;
  if (input.value) find(); // what a browser keeps over a reload
})();
