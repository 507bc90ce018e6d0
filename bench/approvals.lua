-- One POST /api/v1/operator/orders/{id}/approve for each line of the file; its first line is the operator's token.
package.path = 'bench/?.lua;' .. package.path
require('result')

local token, ids, at, count = nil, {}, 0, 0

function init(args)
  for line in io.lines(args[1]) do
    if token == nil then
      token = line
    else
      count = count + 1
      ids[count] = line
    end
  end
end

function request()
  at = at + 1
  if at >= count then wrk.thread:stop() end
  return 'POST /api/v1/operator/orders/' .. ids[(at - 1) % count + 1] .. '/approve HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ' .. token
    .. '\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
end
