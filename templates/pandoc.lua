-- What pandoc does on the way to HTML, LaTeX and Typst. Heading levels leave no gap, below the title's where that is a
-- heading itself; a formula in Typst brings its TeX, which is what a screen reader is given.
local top = FORMAT:match("^latex") and 1 or 2
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
