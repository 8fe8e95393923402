// The protocol's own conformance suite against a listening server. It cannot send a credential, so a proxy on loopback
// adds one and changes nothing else. (The suite covers the revisions up to 2025-11-25; the newer one is in
// endpoint.test.ts. Its authorization mode came after the version we have.)
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { onSqlite } from '../harness.ts'

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
const baseline = fileURLToPath(new URL('./conformance-not-ours.yml', import.meta.url))
/** Scenarios that apply to every server. */
const generic = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
]

function createProxy(target: string, key: string): Promise<http.Server> {
  const { port } = new URL(target)
  const proxy = http.createServer((request, response) => {
    const { method, url, headers } = request
    const onward = http.request(
      { host: '127.0.0.1', port, method, path: url, headers: { ...headers, authorization: `Bearer ${key}` } },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      },
    )
    request.pipe(onward)
  })
  return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(proxy)))
}

function run(args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program, ...args], { cwd })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => void chunks.push(`${chunk}`))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output: chunks.join('') })))
}

onSqlite('mcp conformance', (app) => {
  const scratch = mkdtempSync(join(tmpdir(), 'contrail-conformance-'))
  after(() => rmSync(scratch, { recursive: true, force: true }))

  test('every applicable scenario of the conformance suite passes', async () => {
    const proxy = await createProxy(app().url, await (await app().person('owner')).key())
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/mcp`
    const args = ['server', '--url', url, '--suite', 'all', '--expected-failures', baseline]
    const { code, output } = await run(args, scratch)
    proxy.closeAllConnections()
    proxy.close()
    assert.equal(code, 0, output)
    for (const scenario of generic) assert.match(output, new RegExp(`✓ ${scenario}: \\d+ passed, 0 failed`))
  })
})
