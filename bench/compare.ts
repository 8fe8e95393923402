// Sends the legacy requests of existing programs alternately to two running servers; measures time to the last byte and size.
import http from 'node:http'

interface Server {
  name: string
  url: string
  key: string
}

const paths = ['/api/flight/list', '/api/stats', '/api/flight/export']
const ROUNDS = 15

export async function compare(own: Server, other: Server): Promise<void> {
  process.stdout.write(
    `${'call'.padEnd(24)}${'server'.padEnd(10)}${'median ms'.padStart(12)}${'bytes'.padStart(14)}\n`,
  )
  for (const path of paths) {
    const times = new Map<Server, number[]>([
      [own, []],
      [other, []],
    ])
    const sizes = new Map<Server, number>()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [server, list] of times) {
        const began = performance.now()
        sizes.set(server, await read(server, path))
        list.push(performance.now() - began)
      }
    }
    for (const [server, list] of times) {
      const median = list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!
      process.stdout.write(
        `${path.padEnd(24)}${server.name.padEnd(10)}${median.toFixed(1).padStart(12)}${String(sizes.get(server)).padStart(14)}\n`,
      )
    }
  }
}

function read({ url, key }: Server, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .get(new URL(path, url), { headers: { authorization: `Bearer ${key}` } }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.byteLength
        })
        response.on('error', reject)
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(bytes)
            : reject(new Error(`${url}${path}: ${response.statusCode}`)),
        )
      })
      .on('error', reject)
  })
}
