-- One POST /api/v1/orders for each line "session-token quote-id" of the file.
package.path = 'bench/?.lua;' .. package.path
require('result')

local tokens, quotes, at, count = {}, {}, 0, 0

function init(args)
  for line in io.lines(args[1]) do
    count = count + 1
    tokens[count], quotes[count] = line:match('(%S+) (%S+)')
  end
end

function request()
  at = at + 1
  if at >= count then wrk.thread:stop() end
  local quote = quotes[(at - 1) % count + 1]
  local body = '{"quoteId":"' .. quote .. '","acceptTerms":true,"termsVersion":1,"risksVersion":1,"ageConfirmed":true}'
  return 'POST /api/v1/orders HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ' .. tokens[(at - 1) % count + 1]
    .. '\r\nIdempotency-Key: key-' .. quote .. '\r\nContent-Type: application/json\r\nContent-Length: ' .. #body .. '\r\n\r\n' .. body
end
