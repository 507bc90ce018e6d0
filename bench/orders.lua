-- One purchase for each line "session-token key" of the file: POST /api/v1/orders. Where the first line is "quotes" the server is of a commit
-- that asks for a quote before, and a purchase is both requests; the amount says which line an answer belongs to.
package.path = 'bench/?.lua;' .. package.path
require('result')

local tokens, keys, at, count, hasQuotes = {}, {}, 0, 0, false
-- Quotes that were answered and are not ordered yet.
local quoted = {}
local accepted = '"acceptTerms":true,"termsVersion":1,"risksVersion":1,"ageConfirmed":true}'

function init(args)
  for line in io.lines(args[1]) do
    if line == 'quotes' then
      hasQuotes = true
    else
      count = count + 1
      tokens[count], keys[count] = line:match('(%S+) (%S+)')
    end
  end
end

local function post(path, place, key, body)
  return 'POST /api/v1' .. path .. ' HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ' .. tokens[place]
    .. '\r\nIdempotency-Key: ' .. key .. '\r\nContent-Type: application/json\r\nContent-Length: ' .. #body .. '\r\n\r\n' .. body
end

function request()
  local quote = table.remove(quoted)
  if quote then
    return post('/orders', quote.place, 'key-' .. keys[quote.place], '{"quoteId":"' .. quote.id .. '",' .. accepted)
  end
  at = at + 1
  if at >= count then wrk.thread:stop() end
  local place = (at - 1) % count + 1
  local asked = string.format('{"currency":"USDT","amount":"40.%06d","unit":"token"', place)
  if hasQuotes then return post('/quotes', place, 'quote-' .. keys[place], asked .. '}') end
  return post('/orders', place, 'key-' .. keys[place], asked .. ',' .. accepted)
end

-- Reading each answer costs wrk time: only where the next request needs it.
local function noteQuote(status, headers, body)
  local id, place = body:match('"id":"([^"]+)"'), body:match('"baseTokens":"40%.(%d+)"')
  if id and place and body:find('"notHeld"', 1, true) then table.insert(quoted, { id = id, place = tonumber(place) }) end
end

local start = init
function init(args)
  start(args)
  if hasQuotes then response = noteQuote end
end
