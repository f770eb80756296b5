// Sorts, filters and copies reportkit's tables. Several drop-ins on one page may each carry it: a
// table is set up once.
(() => {
  const make = (tag, text, into) => {
    const element = document.createElement(tag);
    element.textContent = text;
    into.append(element);
    return element;
  };
  const isHeading = (row) => row.classList.contains("rk-section");
  const textOf = (cell) => [...cell.childNodes].map((node) => node.nodeName === "WBR" ? "" : node.textContent || " ").join("").trim();
  // The head of each column: a group's own stand in the row below it, the others take both rows.
  const heads = (table) => {
    const [first, second] = table.tHead.rows, below = [...(second?.cells ?? [])];
    return [...first.cells].flatMap((head) => head.scope === "colgroup" ? below.splice(0, head.colSpan) : [head]);
  };

  // After the "sortable table" pattern of the W3C: a button in each head, aria-sort on the current column alone.
  const sorting = (table, say) => {
    const parts = [...table.tBodies].map((body) => {
      return { body, heads: [...body.rows].filter(isHeading), rows: [...body.rows].filter((row) => !isHeading(row)) };
    });
    if (!parts.some((part) => part.rows.length > 1) || !table.querySelector("td[data-value]")) return;
    if (table.classList.contains("rk-summary")) return;
    for (const [column, head] of heads(table).entries()) {
      if (head.scope !== "col") continue;
      const button = document.createElement("button"), name = textOf(head);
      const cells = parts.flatMap((part) => part.rows.map((row) => row.cells[column]));
      const numeric = cells.some((cell) => cell.dataset.value !== undefined);
      // The first click puts the best on top; the table says which order that is.
      const turns = head.dataset.first === "descending" ? ["descending", "ascending"] : ["ascending", "descending"];
      button.type = "button";
      const arrows = document.createElement("span");
      arrows.className = "rk-arrows";
      arrows.ariaHidden = "true";
      // A link stands beside the button of its head: neither may hold the other.
      const link = head.querySelector("a");
      if (link) button.ariaLabel = `Sort by ${name}`;
      else button.append(...head.childNodes);
      button[head.classList.contains("l") ? "append" : "prepend"](arrows);
      head.prepend(button);
      head.classList.add("rk-sorts");
      // Undefined has no place in the order: last in both directions. Text goes by code point, the same everywhere.
      const key = (row) => {
        const cell = row.cells[column], text = cell.textContent.trim();
        // Of evals with different scales by the place of a score on its own.
        const value = cell.dataset.order ?? cell.dataset.value ?? "";
        if (numeric) return value === "" ? null : Number(value);
        return text === "" || text === "\u2014" ? null : text.toLowerCase();
      };
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const order = turns[before === null ? 0 : turns.indexOf(before) + 1];
        for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
        if (order) head.setAttribute("aria-sort", order);
        const sign = order === "descending" ? -1 : 1;
        for (const { body, heads, rows } of parts) {
          const keyed = rows.map((row) => [key(row), row]);
          if (order) {
            keyed.sort(([a], [b]) =>
              a === null || b === null ? (a === null) - (b === null) : a < b ? -sign : a > b ? sign : 0);
          }
          body.append(...heads, ...keyed.map(([, row]) => row));
        }
        say(order ? `Sorted by ${name}, ${order}` : "In the original order", true);
      });
    }
  };

  // A field above a large table: words keep the rows that hold them, or the columns of the models
  // (or the evals, where models are the rows) that do; a list keeps one category. Without script all of it is there.
  const filtering = (figure, table) => {
    const columns = heads(table);
    const ofModels = columns.filter((head) => head.dataset.model !== undefined).length;
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]).filter((row) => !isHeading(row));
    if (document.querySelector(".rk-search") || (rows.length < 12 && ofModels < 8)) return;
    // A plan's rows are numbers: there is no name to look for.
    const numbers = rows.filter((row) => /^[\d,.]+$/.test(row.cells[0].textContent));
    if (numbers.length > rows.length / 2) return;
    const box = document.createElement("div");
    box.className = "rk-filter";
    const label = make("label", "Filter ", box), input = document.createElement("input");
    Object.assign(input, { type: "search", autocomplete: "off", spellcheck: false });
    input.placeholder = ofModels ? "an eval or a model" : "a name";
    label.append(input);
    const sections = [...table.tBodies].map((body) => [...body.rows].find(isHeading)?.textContent.trim());
    const known = [...new Set(sections.filter(Boolean))];
    let select;
    if (known.length > 1) {
      const chosen = make("label", " Category ", box);
      select = document.createElement("select");
      for (const name of ["all", ...known]) make("option", name, select).value = name === "all" ? "" : name;
      chosen.append(select);
    }
    const said = make("span", "", box);
    said.setAttribute("role", "status");
    const folded = (text) => text.normalize("NFKD").toLowerCase();
    const filter = () => {
      const words = folded(input.value).split(/\s+/).filter(Boolean), category = select?.value || "";
      const fits = (text) => words.every((word) => folded(text).includes(word));
      // A model's name keeps its column; the rows that have a score there stay, and so does the eval's name.
      const kept = columns.map((head) => head.dataset.model !== undefined && fits(textOf(head)));
      const model = words.length > 0 && kept.some(Boolean);
      const without = columns.map((head, k) => model && head.dataset.model !== undefined && !kept[k]);
      columns.forEach((head, k) => { head.hidden = without[k]; });
      for (const group of table.tHead.querySelectorAll("[scope=colgroup]")) group.hidden = model;
      let shown = 0;
      [...table.tBodies].forEach((body, n) => {
        let left = 0;
        const other = category !== "" && sections[n] !== category;
        for (const row of body.rows) {
          if (isHeading(row)) continue;
          const text = [...row.cells].filter((cell) => cell.dataset.value === undefined).map((cell) => cell.textContent);
          const scored = [...row.cells].some((cell, k) => kept[k] && cell.dataset.value !== undefined);
          row.hidden = other || !(model ? scored : fits(text.join(" ")));
          [...row.cells].forEach((cell, k) => { cell.hidden = without[k]; });
          left += !row.hidden;
        }
        const heading = [...body.rows].find(isHeading);
        if (heading) heading.hidden = left === 0;
        shown += left;
      });
      figure.querySelector(".rk-scroll")?.scrollTo(0, 0);
      const kind = textOf(columns[0]) === "Model" ? "evals" : "models";
      const found = model ? `${kept.filter(Boolean).length} of ${ofModels} ${kind}` : "";
      const left = !model || category || shown < rows.length ? `${shown} of ${rows.length} rows` : "";
      said.textContent = words.length || category ? [found, left].filter(Boolean).join(", ") : "";
    };
    input.addEventListener("input", filter);
    select?.addEventListener("change", filter);
    figure.prepend(box);
    if (input.value) filter(); // what a browser keeps over a reload
  };

  const copy = async (text, near) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { // no clipboard on this page, or no leave to use it: the old way
      const area = make("textarea", "", near), focused = document.activeElement;
      area.value = text;
      area.className = "rk-unseen";
      area.select();
      let done = false;
      try { done = document.execCommand("copy"); } catch { /* said below */ }
      area.remove();
      focused?.focus();
      return done;
    }
  };

  for (const figure of document.querySelectorAll("figure.rk-table:not([data-rk-ready])")) {
    figure.dataset.rkReady = "";
    const table = figure.querySelector("table"), tools = figure.querySelector(".rk-tools");
    if (!table?.tHead || !tools) continue;
    const said = make("span", "", tools);
    said.setAttribute("role", "status");
    let timer;
    const say = (text, unseen) => {
      clearTimeout(timer);
      said.className = unseen ? "rk-unseen" : "";
      said.textContent = text;
      if (!unseen) timer = setTimeout(() => { said.textContent = ""; }, 4000);
    };
    const first = tools.querySelector("a") ?? said;
    for (const [label, text] of [["Copy LaTeX", figure.dataset.tex], ["Copy Markdown", figure.dataset.md]]) {
      if (text === undefined) continue;
      const button = make("button", label, tools);
      button.type = "button";
      tools.insertBefore(button, first);
      button.addEventListener("click", async () => {
        const done = await copy(text, tools);
        say(done ? "Copied" : "This page may not copy");
      });
    }
    filtering(figure, table);
    sorting(table, say);
  }

  // In print a figure as tall as a page would leave half a page empty before it: where a long table comes
  // next, the figure stands behind it, and the table begins where the one before ends.
  const moved = [];
  addEventListener("beforeprint", () => {
    const long = [...document.querySelectorAll("main > .rk-table:has(tr:nth-child(41))")];
    for (const figure of document.querySelectorAll("main > .rk-figure")) {
      let place = long.find((table) => figure.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING);
      if (!place || !(figure.querySelector("img")?.naturalHeight > 600)) continue;
      while (moved.some(([other]) => other === place.nextElementSibling)) place = place.nextElementSibling;
      moved.push([figure, figure.nextSibling]);
      place.after(figure);
    }
  });
  addEventListener("afterprint", () => {
    for (const [figure, next] of moved.splice(0).reverse()) next.before(figure);
  });

  // On a phone the first screen is the findings'; the contents open at a touch.
  if (matchMedia("(max-width: 40rem)").matches) document.querySelector(".rk-page > nav > details")?.removeAttribute("open");

  // Two rows of heads as text, and the same with each head above its own column, where a spreadsheet looks for it.
  const aligned = (above, below) => {
    const line = (cells) => cells.map(textOf).join("\t"), apart = (head) => "\t".repeat(head.colSpan - 1);
    const found = `${line(above)}\n${line(below)}\n`, groups = above.map((head) => textOf(head) + apart(head)).join("\t");
    const heads = above.map((head) => head.scope === "colgroup" ? line(below.splice(0, head.colSpan)) : "").join("\t");
    return [found, () => `${groups}\n${heads}\n`];
  };

  // What is pasted into Word or Google Docs is a table with its caption and notes: heads are text there, not buttons.
  const plain = (event) => {
    const selection = getSelection();
    if (!event.clipboardData || !selection.rangeCount || selection.isCollapsed) return;
    if (/^(TEXTAREA|INPUT)$/.test(document.activeElement?.tagName)) return;
    const range = selection.getRangeAt(0), inside = range.commonAncestorContainer;
    const within = inside.nodeType === 1 && /^(TABLE|THEAD|TBODY)$/.test(inside.tagName) ? inside.closest("table") : null;
    const copied = document.createElement("div");
    (within ? copied.appendChild(within.cloneNode(false)) : copied).append(range.cloneContents());
    if (!copied.querySelector(".rk-table table, .rk-scroll table") && !within?.closest(".rk-table")) return;
    for (const extra of copied.querySelectorAll(".rk-tools, .rk-filter, .rk-arrows, .rk-unseen, script, style")) extra.remove();
    for (const outer of copied.querySelectorAll(".rk-table button, .rk-scroll, th button")) outer.replaceWith(...outer.childNodes);
    for (const cell of copied.querySelectorAll("th.r, td.r")) cell.style.textAlign = "right";
    for (const cell of copied.querySelectorAll("th.l, td.l, caption")) cell.style.textAlign = "left";
    for (const element of copied.querySelectorAll("*")) {
      for (const { name } of [...element.attributes]) {
        if (!/^(style|colspan|rowspan|scope|src|alt|href)$/.test(name)) element.removeAttribute(name);
      }
    }
    event.clipboardData.setData("text/html", copied.innerHTML);
    let text = selection.toString();
    for (const { rows: [first, second] } of copied.querySelectorAll("thead")) {
      if (second) text = text.replace(...aligned([...first.cells], [...second.cells]));
    }
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  };
  if (!document.documentElement.dataset.rkCopies) {
    document.documentElement.dataset.rkCopies = "";
    document.addEventListener("copy", plain);
  }

  // Names that stay in view have a shadow beside them once numbers lie under them.
  // A figure has shadows on both sides, where more of it is; what is as high as a screen has one below.
  const mark = (scroll) => {
    const left = scroll.scrollWidth - scroll.clientWidth - scroll.scrollLeft;
    scroll.classList.toggle("rk-scrolled", scroll.scrollLeft > 0);
    scroll.classList.toggle("rk-more", left > 1 && scroll.matches(".rk-figure > *"));
    scroll.classList.toggle("rk-below", scroll.scrollHeight - scroll.clientHeight - scroll.scrollTop > 1);
  };
  for (const scroll of document.querySelectorAll(".rk-scroll")) {
    scroll.addEventListener("scroll", () => mark(scroll), { passive: true });
  }

  // A table that is a few pixels too wide is set a little smaller, where that makes it fit: so near to
  // its end the shadow does not show, and its last digits would be cut.
  const NEAR = 24;
  const widths = new WeakMap();
  const fit = (scroll) => {
    const table = scroll.querySelector(":scope > table");
    if (!table || widths.get(scroll) === scroll.clientWidth) return;
    widths.set(scroll, scroll.clientWidth);
    table.classList.remove("rk-near");
    table.style.removeProperty("--rk-part");
    const over = () => scroll.scrollWidth - scroll.clientWidth;
    if (over() < 1 || over() > NEAR) return;
    table.style.setProperty("--rk-near", getComputedStyle(table).fontSize);
    table.classList.add("rk-near");
    for (const part of [0.98, 0.96, 0.94, 0.92]) {
      table.style.setProperty("--rk-part", part);
      if (over() < 1) return;
    }
    table.classList.remove("rk-near");
    table.style.removeProperty("--rk-part");
  };

  // What fits needs no stop for the keyboard to scroll it.
  const fits = new ResizeObserver((seen) => {
    for (const { target } of seen) {
      fit(target);
      mark(target);
      if (target.scrollWidth > target.clientWidth + 1) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const scroll of document.querySelectorAll(".rk-scroll")) {
    fit(scroll);
    fits.observe(scroll);
  }
})();
