// Misbehaving IMAP hosts: they must not end a reading unnoticed, block it, fill the memory, or keep a connection open.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { after, before, beforeEach, test } from 'node:test'
import { openFolder } from '../../server/services/intake/imap.ts'
import { IntakeError } from '../../server/services/intake/reach.ts'
import { type ImapHost, startImapHost } from './imap-host.ts'

const rules = { privateAddresses: false, loopback: true }
const at = new Date('2026-06-15T12:00:00Z')
const since = new Date('2026-06-01T00:00:00Z')

let host: ImapHost
before(async () => {
  host = await startImapHost()
})
after(() => host.close())
beforeEach(() => {
  host.commands.length = 0
  host.intercept = () => false
  host.answered = () => {}
  host.messages = [1, 2, 3].map((uid) => ({ uid, source: `Subject: ${uid}\r\n\r\n`, at }))
})

const opened = (limits?: { ms: number; bytes: number }, signal?: AbortSignal) =>
  openFolder(
    {
      host: '127.0.0.1',
      port: host.port,
      security: 'none',
      username: 'ada',
      password: 'open sesame',
      folder: 'INBOX',
    },
    rules,
    signal,
    limits,
  )
const failsWith = (asked: Promise<unknown>, problem: string, name?: string) =>
  assert.rejects(asked, (error) => error instanceof IntakeError && error.problem === problem, name)
/** Resolves when the host has closed the connection. */
const ended = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const look = () => (getEventListeners(signal, 'abort').length === 0 ? resolve() : void setImmediate(look))
    look()
  })

test('messages are listed in order, without older ones and subfolders', async () => {
  host.messages.unshift({ uid: 0, source: '', at })
  host.messages[2]!.at = new Date('2026-05-31T23:00:00Z')
  const folder = await opened()
  assert.deepEqual([folder.uidValidity, folder.uidNext], [7, 4])
  assert.deepEqual(
    (await folder.list(0, since, 10)).map(({ uid }) => uid),
    [1, 3],
  )
  assert.equal(String(await folder.read(3)), 'Subject: 3\r\n\r\n')
  assert.equal(await folder.read(9), undefined)
  folder.close()
})

test('unsolicited data about other messages is not read as the response', async () => {
  host.intercept = (command, socket) => {
    if (command.startsWith('UID FETCH'))
      socket.write('* 1 FETCH (UID 1 FLAGS (\\Seen))\r\n* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n')
    return false
  }
  const folder = await opened()
  assert.deepEqual(await folder.list(1, since, 10), [
    { uid: 2, bytes: 14 },
    { uid: 3, bytes: 14 },
  ])
  assert.equal(String(await folder.read(2)), 'Subject: 2\r\n\r\n')
  folder.close()
})

test('a closed connection has no messages, but is not an empty folder', async () => {
  const endings: [string, (socket: { destroy(): void; write(text: string): void }) => void][] = [
    ['closed', (socket) => socket.destroy()],
    ['bye', (socket) => socket.write('* BYE shutting down\r\n')],
  ]
  for (const [name, end] of endings) {
    for (const ask of ['list', 'read'] as const) {
      const folder = await opened()
      host.answered = (command, socket) => command.startsWith('UID') && end(socket)
      await folder.read(1).catch(() => {})
      const asked = ask === 'list' ? folder.list(0, since, 10) : folder.read(2)
      await failsWith(asked, 'connection_broken', `${name} ${ask}`)
      host.answered = () => {}
      folder.close()
    }
  }
})

test('a connection closed long before the next command is reported too', async () => {
  const { signal } = new AbortController()
  const folder = await opened(undefined, signal)
  host.answered = (_, socket) => socket.destroy()
  await folder.read(1).catch(() => {})
  await ended(signal)
  await failsWith(folder.read(2), 'connection_broken')
  await failsWith(folder.list(0, since, 10), 'connection_broken')
})

test('a refused search is not an empty folder', async () => {
  host.intercept = (command, socket, tag) => {
    if (!command.startsWith('UID SEARCH')) return false
    socket.write(`${tag} NO not today\r\n`)
    return true
  }
  const folder = await opened()
  await failsWith(folder.list(0, since, 10), 'failed')
  folder.close()
})

/** Sends something now and then, so that it is never silent. */
const trickle =
  (asked: string): ImapHost['intercept'] =>
  (command, socket) => {
    if (!command.startsWith(asked)) return false
    const timer = setInterval(() => socket.write('* OK still here\r\n'), 20)
    socket.once('close', () => clearInterval(timer))
    return true
  }

test('an endless response is aborted after a time limit', async () => {
  const limits = { ms: 300, bytes: 1_000_000 }
  for (const asked of ['LOGIN', 'EXAMINE']) {
    host.intercept = trickle(asked)
    await failsWith(opened(limits), 'timeout', asked)
  }
  for (const asked of ['UID SEARCH', 'UID FETCH 1,2,3', 'UID FETCH 2 ']) {
    host.intercept = trickle(asked)
    const folder = await opened(limits)
    const both = async () => {
      await folder.list(0, since, 10)
      await folder.read(2)
    }
    await failsWith(both(), 'timeout', asked)
  }
})

test('unrequested data is aborted before it fills the memory', async () => {
  let sent = 0
  host.intercept = (command, socket) => {
    if (!command.startsWith('UID FETCH')) return false
    const body = 'x'.repeat(100_000)
    const more = () => {
      while (!socket.destroyed && socket.write(`* 1 FETCH (UID 1 BODY[] {${body.length}}\r\n${body})\r\n`))
        sent += body.length
      if (!socket.destroyed) socket.once('drain', more)
    }
    more()
    return true
  }
  const folder = await opened({ ms: 60_000, bytes: 2_000_000 })
  await failsWith(folder.read(1), 'too_large')
  assert.ok(sent > 0)
})

test('each step has its own limit for data', async () => {
  const flood = (asked: string, lines: readonly string[]) => {
    host.intercept = (command, socket, tag) => {
      if (!command.startsWith(asked)) return false
      socket.write(`${lines.join('\r\n')}\r\n${tag} OK done\r\n`)
      return true
    }
  }
  flood('EXAMINE', Array(1_500).fill('* LIST () "/" INBOX'))
  await failsWith(opened(), 'too_large')
  const list = async () => (await opened()).list(0, since, 10)
  const uids = (line: number) => Array.from({ length: 1_000 }, (_, n) => line * 1_000 + n + 1).join(' ')
  flood(
    'UID SEARCH',
    Array.from({ length: 101 }, (_, line) => `* SEARCH ${uids(line)}`),
  )
  await failsWith(list(), 'too_large')
  flood('UID SEARCH', Array(500).fill(`* SEARCH ${uids(1_000)}`))
  await failsWith(list(), 'too_large')
  flood('UID FETCH', Array(3_000).fill('* 1 FETCH (UID 1 FLAGS ())'))
  await failsWith(list(), 'too_large')
  await failsWith((await opened()).read(1), 'too_large')
})

test('a large folder is listed in portions, and only as far as needed', async () => {
  host.messages = Array.from({ length: 1300 }, (_, n) => ({ uid: 2 * n + 1, source: 'x', at }))
  const folder = await opened()
  const fetches = () => host.commands.filter((command) => command.startsWith('UID FETCH')).length
  assert.equal((await folder.list(0, since, 101)).length, 500)
  assert.equal(fetches(), 1)
  assert.equal((await folder.list(0, since, 5000)).length, 1300)
  assert.equal(fetches(), 4)
  folder.close()
})

test('the signal ends a connection, and an ended connection leaves nothing behind', async () => {
  const stopping = new AbortController()
  const listeners = () => getEventListeners(stopping.signal, 'abort').length
  const folder = await opened(undefined, stopping.signal)
  assert.equal(listeners(), 1)
  folder.close()
  assert.equal(listeners(), 0)
  host.intercept = (command, socket) => command.startsWith('LOGIN') && !!socket.destroy()
  await assert.rejects(opened(undefined, stopping.signal))
  assert.equal(listeners(), 0)
  host.intercept = () => false
  const open = await opened(undefined, stopping.signal)
  stopping.abort()
  await failsWith(open.read(1), 'connection_broken')
  await assert.rejects(opened(undefined, stopping.signal))
})
