-- What pandoc does on the way from one format to another. Heading levels leave no gap, below the title's where that is
-- a heading itself; a formula in Typst brings its TeX, which is what a screen reader is given; tables align by content.
local top = (FORMAT:match("^latex") or FORMAT == "json") and 1 or 2
local open = {}

function Header(heading)
  while #open > 0 and open[#open] >= heading.level do
    table.remove(open)
  end
  table.insert(open, heading.level)
  heading.level = top + #open - 1
  return heading
end

function Math(math)
  if FORMAT ~= "typst" then
    return nil
  end
  local body = pandoc.write(pandoc.Pandoc({ pandoc.Plain({ math }) }), "typst"):gsub("^%s+", ""):gsub("%s+$", "")
  if not body:match("^%$.*%$$") then
    return nil
  end
  local alt = math.text:gsub("%s+", " "):gsub("\\", "\\\\"):gsub('"', '\\"')
  local block = math.mathtype == "DisplayMath" and "true" or "false"
  return pandoc.RawInline("typst", '#math.equation(block: ' .. block .. ', alt: "' .. alt .. '", ' .. body .. ".body);")
end

local function from_the_right(inline)
  if not inline or inline.t ~= "Str" then
    return false
  end
  for _, c in utf8.codes(inline.text) do
    if c >= 0x590 and c <= 0x8ff or c >= 0xfb1d and c <= 0xfdff or c >= 0xfe70 and c <= 0xfeff then
      return true
    end
  end
  return false
end

-- What opens before a word, the word, and what closes behind it.
local function parts_of(text)
  local opens = text:match("^[(%[]*“") or text:match("^[(%[]*")
  local word, closes = text:sub(#opens + 1), ""
  repeat
    local sign = word:match("[.,;:!?)%]]$") or word:match("”$") or ""
    word, closes = word:sub(1, #word - #sign), sign .. closes
  until sign == ""
  return opens, word, closes
end

-- In Word too, words that run from the right leave the numbers beside them where they are.
local function isolate(inlines)
  local i = 1
  while i <= #inlines do
    if from_the_right(inlines[i]) then
      local opens, word, closes = parts_of(inlines[i].text)
      inlines[i] = pandoc.Str(opens .. "\u{2068}" .. word)
      while closes == "" and inlines[i + 1] and inlines[i + 1].t == "Space" and from_the_right(inlines[i + 2]) do
        local more, next, ends = parts_of(inlines[i + 2].text)
        if more ~= "" then
          break
        end
        i, closes = i + 2, ends
        inlines[i] = pandoc.Str(next)
      end
      inlines[i] = pandoc.Str(inlines[i].text .. "\u{2069}" .. closes)
    end
    i = i + 1
  end
end

-- In Word what closes behind a formula is part of it: LibreOffice began a line with the full stop.
function Inlines(inlines)
  if FORMAT ~= "json" then
    return nil
  end
  isolate(inlines)
  for i = #inlines - 1, 1, -1 do
    local formula, word = inlines[i], inlines[i + 1]
    local closes = formula.t == "Math" and formula.mathtype == "InlineMath" and word.t == "Str"
      and word.text:match("^[.,:;)]+")
    if closes then
      inlines[i] = pandoc.Math("InlineMath", formula.text .. "\\text{" .. closes .. "}")
      inlines[i + 1] = pandoc.Str(word.text:sub(#closes + 1))
    end
  end
  return inlines
end

-- Typst would make an ellipsis of dots that pandoc leaves as they are.
function Str(word)
  if FORMAT ~= "typst" or not word.text:find("..", 1, true) then
    return nil
  end
  local parts = {}
  for text, dots in word.text:gmatch("([^.]*)(%.*)") do
    table.insert(parts, pandoc.Str(text))
    table.insert(parts, pandoc.RawInline("typst", (dots:gsub("%.", "\\."))))
  end
  return parts
end

-- In LaTeX a name may break behind an underscore too, as behind a hyphen; not in a heading, whose bookmark would show it.
-- A short one stays whole, and so do a date, SHA-256 and short code, but for a cell, which may be narrow. An apostrophe is
-- one of type, as in captions: pandoc asks for that of a typewriter. Code is no Str, and keeps it.
local whole, together = 14, 24 -- letters

local function dated(text)
  local before, date, after = text:match("^(.-)(%f[%d][12]%d%d%d%-[01]%d%-[0-3]%d%f[%D])(.*)$")
  if not date then
    return pandoc.Str(text)
  end
  return { pandoc.Str(before), pandoc.RawInline("latex", "\\mbox{" .. date .. "}"), pandoc.Str(after) }
end

local function breaking(word, within_cell)
  local text = word.text:sub(1, 1) == "'" and word.text or word.text:gsub("(%a)'", "%1’")
  if text:match("^SHA%-256%p?$") and not within_cell then
    return pandoc.RawInline("latex", "\\mbox{" .. text .. "}")
  end
  if not text:find("_%w") then
    return within_cell and pandoc.Str(text) or dated(text)
  end
  if not within_cell and utf8.len(text) <= whole then
    return { pandoc.RawInline("latex", "\\mbox{"), pandoc.Str(text), pandoc.RawInline("latex", "}") }
  end
  local parts, from = {}, 1
  for to in text:gmatch("_()%w") do
    table.insert(parts, pandoc.Str(text:sub(from, to - 1)))
    table.insert(parts, pandoc.RawInline("latex", "\\allowbreak{}"))
    from = to
  end
  table.insert(parts, pandoc.Str(text:sub(from)))
  return parts
end

-- A parameter stays with its number, as in epochs = 6, and an option with its value.
local function tied(inlines)
  local function text(i)
    local one = inlines[i]
    return one and (one.t == "Str" or one.t == "Emph") and pandoc.utils.stringify(one) or ""
  end
  local function tie(i)
    inlines[i] = pandoc.RawInline("latex", "~")
  end
  for i = 2, #inlines - 1 do
    local before, after = text(i - 1), text(i + 1)
    if inlines[i].t == "Space" and utf8.len(before .. after) < together then
      local number = before:match("%w$") and after:match("^[=<]$") and text(i + 3):match("^%d")
      if number and inlines[i + 2].t == "Space" then
        tie(i)
        tie(i + 2)
      elseif before:match("^%-%-%a[%a-]*$") and after:match("^[^%-]") then
        tie(i)
      end
    end
  end
  return inlines
end

-- A quotation mark of a typewriter stays one: XeLaTeX and LuaLaTeX make a closing one of type of it.
local function upright(word)
  if not word.text:find('"', 1, true) then
    return nil
  end
  local parts = {}
  for text, mark in word.text:gmatch('([^"]*)("?)') do
    table.insert(parts, pandoc.Str(text))
    if mark ~= "" then
      table.insert(parts, pandoc.RawInline("latex", "\\textquotedbl{}"))
    end
  end
  return parts
end

local function flowing(within_cell)
  return function(block)
    return block:walk({ Inlines = tied }):walk({
      Str = function(word)
        return breaking(word, within_cell)
      end,
      Code = function(code)
        if not within_cell and utf8.len(code.text) <= together then
          return { pandoc.RawInline("latex", "\\mbox{"), code, pandoc.RawInline("latex", "}") }
        end
      end,
    })
  end
end

function Pandoc(document)
  if FORMAT ~= "latex" then
    return nil
  end
  local flows = {
    traverse = "topdown",
    Table = function(t)
      return t:walk({ Para = flowing(true), Plain = flowing(true) }), false
    end,
    Para = flowing(false),
    Plain = flowing(false),
  }
  local marks = {
    traverse = "topdown",
    Header = function() -- a bookmark would lose them
      return nil, false
    end,
    Str = upright,
  }
  return document:walk(flows):walk(marks)
end

-- A line that names the quote or the list below it is on its page; of a Word document documents/docx.py sees to that.
local keeps = {
  typst = { "#block(sticky: true)[", "]", "" },
  latex = { "\\begingroup\\csname @beginparpenalty\\endcsname 10000", "\\nopagebreak", "\\endgroup" },
}

function Blocks(blocks)
  local marks = keeps[FORMAT]
  if not marks then
    return nil
  end
  local function mark(i)
    return pandoc.RawBlock(FORMAT, marks[i])
  end
  local found, names = pandoc.Blocks({}), false
  for i, block in ipairs(blocks) do
    local below = blocks[i + 1] and blocks[i + 1].t or ""
    found:extend(names and { block, mark(3) } or { block })
    names = block.t == "Para" and pandoc.utils.stringify(block):match(":$") and true or false
    names = names and (below == "BlockQuote" or below:match("List$") ~= nil)
    if names then
      found:remove()
      found:extend({ mark(1), block, mark(2) })
    end
  end
  return found
end

-- What can be downloaded from a page is in no other document. Wrappers and names carry nothing over; the tree (json) is
-- read by documents/docx.py, which knows ours.
function Div(div)
  if FORMAT ~= "html" and div.classes:includes("rk-tools") then
    return {}
  end
  if FORMAT ~= "html" and FORMAT ~= "json" then
    return div.content
  end
end

-- Where each cell of a row begins, given the cells that reach down from the rows above.
local function columns_of(row, reach)
  local column, starts = 1, {}
  for i, cell in ipairs(row.cells) do
    while (reach[column] or 0) > 0 do
      reach[column] = reach[column] - 1
      column = column + 1
    end
    starts[i] = column
    for _ = 1, cell.col_span do
      reach[column] = cell.row_span - 1
      column = column + 1
    end
  end
  for rest, rows in pairs(reach) do
    if rest >= column and rows > 0 then
      reach[rest] = rows - 1
    end
  end
  return starts
end

local function is_number(text)
  return text:match("^[%(%[]?[-+−]?[%d.,]+[%d%%eE]*[%)%]]?$") or text == "" or text == "NaN" or text == "nan" or text == "—"
end

-- One head row and no spans, for Markdown: a head over several columns is said in each.
local function flattened(rows, width, over)
  local reach, done = {}, {}
  for _, row in ipairs(rows) do
    local starts, texts = columns_of(row, reach), {}
    for i, cell in ipairs(row.cells) do
      for k = 0, over and cell.col_span - 1 or 0 do
        texts[starts[i] + k] = cell.contents
      end
    end
    local line = {}
    for column = 1, width do
      line[column] = texts[column] or pandoc.Blocks({})
    end
    table.insert(done, line)
  end
  return done
end

local function simple(t)
  local width, body, spans = #t.colspecs, {}, #t.head.rows > 1
  for _, part in ipairs(t.bodies) do
    for _, row in ipairs(part.body) do
      table.insert(body, row)
      for _, cell in ipairs(row.cells) do
        spans = spans or cell.row_span > 1 or cell.col_span > 1
      end
    end
  end
  if not spans then
    return
  end
  local heads = {}
  for _, line in ipairs(flattened(t.head.rows, width, true)) do
    for column = 1, width do
      local text = pandoc.utils.stringify(line[column])
      heads[column] = heads[column] and heads[column] ~= "" and text ~= "" and heads[column] .. ": " .. text
        or (text ~= "" and text or heads[column] or "")
    end
  end
  local function row_of(line)
    local cells = {}
    for column = 1, width do
      cells[column] = pandoc.Cell(line[column])
    end
    return pandoc.Row(cells)
  end
  local head = {}
  for column = 1, width do
    head[column] = pandoc.Blocks({ pandoc.Plain(pandoc.Inlines(heads[column])) })
  end
  t.head = pandoc.TableHead({ row_of(head) })
  local rows = pandoc.List({})
  for _, line in ipairs(flattened(body, width, false)) do
    rows:insert(row_of(line))
  end
  t.bodies = { { attr = pandoc.Attr(), body = rows, head = {}, row_head_columns = 0 } }
end

-- Rules as our own tables have them, as wide as the line at most; a number only for a table that has a caption.
local function ruled(source, bare)
  source = source:gsub("align%(center%)%[#table%(", "rk-fit(table(")
  -- The table's end stands alone on its line; a cell may end in ")]" too, as "Mean (SE)" does.
  source = source:gsub("\n%s*%)%]\n", "\n    table.hline(stroke: 0.08em),\n  ))\n", 1)
  source = source:gsub("table%.header%(", "table.hline(stroke: 0.08em),\n    table.header(", 1)
  source = source:gsub("table%.hline%(%),", "table.hline(stroke: 0.05em),", 1)
  return bare and source:gsub(",%s*kind: table%s*%)%s*$", ", kind: table, numbering: none)") or source
end

function Table(t)
  t.attr = pandoc.Attr()
  local numbers = {}
  for _, part in ipairs(t.bodies) do
    local reach = {}
    for _, row in ipairs(part.body) do
      local starts = columns_of(row, reach)
      for i, cell in ipairs(row.cells) do
        local text, column = pandoc.utils.stringify(cell.contents), starts[i]
        if numbers[column] ~= false then
          numbers[column] = is_number(text) and true or false
        end
      end
    end
  end
  for i, spec in ipairs(t.colspecs) do
    if spec[1] == "AlignDefault" then
      t.colspecs[i] = { numbers[i] and "AlignRight" or "AlignLeft", spec[2] }
    end
  end
  for _, row in ipairs(t.head.rows) do
    for _, cell in ipairs(row.cells) do
      if cell.col_span > 1 then
        cell.alignment = "AlignCenter"
      end
    end
  end
  if FORMAT == "gfm" then
    simple(t)
  elseif FORMAT == "latex" and #t.caption.long == 0 then
    -- A longtable counts itself, with or without a caption.
    local before, after = "\\edef\\rktables{\\arabic{table}}", "\\setcounter{table}{\\rktables}"
    return { pandoc.RawBlock("latex", before), t, pandoc.RawBlock("latex", after) }
  elseif FORMAT == "typst" then
    return pandoc.RawBlock("typst", ruled(pandoc.write(pandoc.Pandoc({ t }), "typst"), #t.caption.long == 0))
  end
  return t
end
