-- The server in a real editor: each check does what a user does and asserts what is in the buffer.
--
--     nvim --headless --clean -l tests/editor/neovim.lua PCL FOLDER
--
-- FOLDER holds `schemas/` with the schema of the package `random`.

local pcl, folder = unpack(_G.arg)
local failures = {}

-- The text that the checks start from.
local TEXT = [[
resource pet "random:index/randomPet:RandomPet" {
  length = 2
}

size = lenght([1, 2])
words = ["one", "two"]
upper = [for word in words : word]

output name {
  value = pet.id
}
]]

-- Waits until a condition holds.
local function wait(what, condition)
  local ok = vim.wait(20000, condition, 20)
  if not ok then
    error("timed out: " .. what)
  end
end

local function check(name, run)
  local ok, message = pcall(run)
  if ok then
    print("ok " .. name)
  else
    print("FAILED " .. name .. ": " .. tostring(message))
    table.insert(failures, name)
  end
end

local function equal(found, expected)
  if not vim.deep_equal(found, expected) then
    error(("found %s, expected %s"):format(vim.inspect(found), vim.inspect(expected)), 2)
  end
end

local path = folder .. "/main.pp"
vim.fn.writefile(vim.split(TEXT, "\n", { trimempty = true }), path)
vim.filetype.add({ extension = { pp = "pcl" } })
vim.lsp.config("pcl", {
  cmd = { pcl, "server", "--schema-dir", folder .. "/schemas" },
  filetypes = { "pcl" },
  root_markers = { "Pulumi.yaml", "pcl.toml" },
  root_dir = folder,
})
vim.lsp.enable("pcl")
vim.cmd.edit(path)
local buffer = vim.api.nvim_get_current_buf()
vim.bo[buffer].filetype = "pcl"
local client

local function line(number)
  return vim.api.nvim_buf_get_lines(buffer, number - 1, number, false)[1]
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
end

-- Puts the cursor on the first place of a text, at an offset in it.
local function go(needle, offset)
  for number, content in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local at = content:find(needle, 1, true)
    if at then
      vim.api.nvim_win_set_cursor(0, { number, at - 1 + (offset or 0) })
      return
    end
  end
  error("there is no " .. needle)
end

-- The result of a request about the place of the cursor.
local function ask(method, more)
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  params = vim.tbl_extend("force", params, more or {})
  local response = client:request_sync(method, params, 20000, buffer)
  assert(response and not response.err, vim.inspect(response))
  return response.result
end

local function messages()
  local found = vim.diagnostic.get(buffer)
  return vim.tbl_map(function(item)
    return vim.split(item.message, "\n")[1]
  end, found)
end

check("the client attaches", function()
  wait("a client", function()
    client = vim.lsp.get_clients({ bufnr = buffer })[1]
    return client ~= nil and client.initialized
  end)
end)

check("diagnostics are pulled", function()
  wait("a diagnostic", function()
    return #vim.diagnostic.get(buffer) > 0
  end)
  local item = vim.diagnostic.get(buffer)[1]
  equal(item.code, "PCL0601")
  equal({ item.lnum, item.col }, { 4, 7 })
  assert(client:supports_method("textDocument/diagnostic"))
end)

check("a code action fixes the diagnostic", function()
  go("lenght")
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title:find("length", 1, true) ~= nil
    end,
  })
  wait("the fix", function()
    return line(5) == "size = length([1, 2])"
  end)
  wait("no diagnostics", function()
    return #vim.diagnostic.get(buffer) == 0
  end)
end)

check("hover shows the declaration", function()
  go("pet.id")
  local hover = ask("textDocument/hover")
  assert(hover.contents.value:find("random:index/randomPet:RandomPet", 1, true), vim.inspect(hover))
end)

check("definition leads to the declaration", function()
  go("pet.id")
  vim.lsp.buf.definition()
  wait("the cursor", function()
    return vim.api.nvim_win_get_cursor(0)[1] == 1
  end)
end)

check("inlay hints show the types of locals", function()
  vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  wait("a hint", function()
    return #vim.lsp.inlay_hint.get({ bufnr = buffer }) > 0
  end)
  local labels = {}
  for _, entry in ipairs(vim.lsp.inlay_hint.get({ bufnr = buffer })) do
    local label = entry.inlay_hint.label
    if type(label) == "table" then
      label = table.concat(vim.tbl_map(function(part)
        return part.value
      end, label))
    end
    table.insert(labels, label)
  end
  assert(vim.iter(labels):any(function(label)
    return label:find("int", 1, true) ~= nil
  end), vim.inspect(labels))
end)

check("semantic tokens color the keyword", function()
  go("resource")
  wait("tokens", function()
    return #(vim.lsp.semantic_tokens.get_at_pos(buffer, 0, 0) or {}) > 0
  end)
  equal(vim.lsp.semantic_tokens.get_at_pos(buffer, 0, 0)[1].type, "keyword")
end)

check("completion inserts an input", function()
  go("length = 2", 10)
  vim.lsp.completion.enable(true, client.id, buffer, { autotrigger = false })
  local keys = vim.api.nvim_replace_termcodes("A<CR>pref", true, false, true)
  vim.api.nvim_feedkeys(keys, "tx", false)
  local position = { 3, #line(3) }
  vim.api.nvim_win_set_cursor(0, position)
  local result = ask("textDocument/completion")
  local items = result.items or result
  local item = vim.iter(items):find(function(entry)
    return entry.label == "prefix"
  end)
  assert(item, vim.inspect(vim.tbl_map(function(entry)
    return entry.label
  end, items)))
  local edit = vim.deepcopy(item.textEdit)
  edit.range = edit.range or edit.insert
  edit.newText = "prefix = \"a\""
  vim.lsp.util.apply_text_edits({ edit }, buffer, client.offset_encoding)
  assert(line(3):find('prefix = "a"', 1, true), text())
end)

check("rename changes the declaration and its references", function()
  go("pet \"random")
  vim.lsp.buf.rename("animal")
  wait("the new name", function()
    return text():find("value = animal.id", 1, true) ~= nil
      and line(1):find("resource animal ", 1, true) ~= nil
  end)
  -- With another name outside of the program, Pulumi would replace the resource.
  assert(line(2):find('__logicalName = "pet"', 1, true), text())
end)

check("formatting aligns the attributes", function()
  vim.lsp.buf.format({ bufnr = buffer, timeout_ms = 20000 })
  assert(text():find("  length        = 2\n  prefix        = \"a\"", 1, true), text())
end)

check("the program is valid at the end", function()
  wait("no diagnostics", function()
    return #vim.diagnostic.get(buffer) == 0
  end)
  equal(messages(), {})
end)

if #failures > 0 then
  print(#failures .. " of the checks failed")
  vim.cmd.cquit(1)
end
print("all checks passed")
vim.cmd.quitall({ bang = true })
