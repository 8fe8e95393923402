// The floor: a minimal node:http server that reads each request and responds with fixed bytes.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const status = Number(process.env['FLOOR_STATUS'] ?? 200)
const body = readFileSync(process.env['FLOOR_BODY']!)
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.byteLength })
    response.end(status === 304 ? undefined : body)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ message: 'listening', port: (server.address() as AddressInfo).port })}\n`,
  )
})
