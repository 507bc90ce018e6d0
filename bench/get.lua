package.path = 'bench/?.lua;' .. package.path
require('result')
