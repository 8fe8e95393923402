// An IMAP host on loopback that follows the protocol as far as a test wants: real servers do not stall, send endlessly or
// disconnect half-way.
import net, { type AddressInfo, type Socket } from 'node:net'

interface Stored {
  uid: number
  source: string
  at: Date
}

export interface ImapHost {
  port: number
  messages: Stored[]
  /** Every command, without its tag. */
  commands: string[]
  /** Called before the response to a command; true: it was sent, or must not be. */
  intercept: (command: string, socket: Socket, tag: string) => boolean
  /** Called after the response was sent. */
  answered: (command: string, socket: Socket) => void
  close(): Promise<void>
}

export async function startImapHost(): Promise<ImapHost> {
  const sockets = new Set<Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
    listen(host, socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host: ImapHost = {
    port: (server.address() as AddressInfo).port,
    messages: [],
    commands: [],
    intercept: () => false,
    answered: () => {},
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return host
}

function listen(host: ImapHost, socket: Socket): void {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
    for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n')) {
      const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      host.commands.push(command)
      if (host.intercept(command, socket, tag)) continue
      socket.write(`${answerOf(host, command)}${tag} OK done\r\n`)
      host.answered(command, socket)
    }
  })
}

function answerOf({ messages }: ImapHost, command: string): string {
  if (command.startsWith('CAPABILITY')) return '* CAPABILITY IMAP4rev1\r\n'
  if (command.startsWith('LIST')) return '* LIST () "/" INBOX\r\n'
  if (command.startsWith('EXAMINE')) {
    const next = (messages.at(-1)?.uid ?? 0) + 1
    return `* ${messages.length} EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT ${next}] ok\r\n`
  }
  const [, from = '1'] = /UID (\d+):/.exec(command) ?? []
  if (command.startsWith('UID SEARCH'))
    return `* SEARCH ${messages.flatMap(({ uid }) => (uid >= Number(from) ? uid : [])).join(' ')}\r\n`
  const [, set] = /^UID FETCH (\S+)/.exec(command) ?? []
  return set === undefined ? '' : fetched(messages, inSet(set), command.includes('BODY'))
}

function inSet(set: string): (uid: number) => boolean {
  const ranges = set.split(',').map((part) => part.split(':').map(Number))
  return (uid) => ranges.some(([from, to = from]) => uid >= from! && uid <= to!)
}

const fetched = (messages: readonly Stored[], isAsked: (uid: number) => boolean, whole: boolean): string =>
  messages
    .map(({ uid, source, at }, index) => {
      if (!isAsked(uid)) return ''
      const facts = whole
        ? `BODY[] {${source.length}}\r\n${source}`
        : `RFC822.SIZE ${source.length} INTERNALDATE "${internalDate(at)}"`
      return `* ${index + 1} FETCH (UID ${uid} ${facts})\r\n`
    })
    .join('')

/** `15-Jun-2026 12:00:00 +0000` */
function internalDate(at: Date): string {
  const [, day, month, year, time] = at.toUTCString().split(' ')
  return `${day}-${month}-${year} ${time} +0000`
}
