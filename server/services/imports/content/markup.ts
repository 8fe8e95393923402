// HTML and XML by events: no tree is built, and entities declared in a document are not expanded.
import { Parser } from 'htmlparser2'

/** Real pages and exports stay far below this. */
const DEPTH_AT_MOST = 500
const CHUNK = 65_536

interface MarkupEvents {
  /** HTML names are in lower case; XML names as written, with their prefix. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  /** All text between two tags, entities resolved. */
  text?(text: string): void
  close?(name: string): void
}

class TooDeep extends Error {}

/** Emits the events of a document. Stops and returns false if it is nested too deep. */
export function walkMarkup(text: string, form: 'html' | 'xml', events: MarkupEvents): boolean {
  let depth = 0
  let pending = ''
  const flush = () => {
    if (pending === '') return
    events.text?.(pending)
    pending = ''
  }
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        flush()
        if (++depth > DEPTH_AT_MOST) throw new TooDeep()
        events.open?.(name, attributes)
      },
      ontext: (part) => {
        pending += part
      },
      onclosetag: (name) => {
        flush()
        depth--
        events.close?.(name)
      },
    },
    { xmlMode: form === 'xml', decodeEntities: true },
  )
  try {
    for (let at = 0; at < text.length; at += CHUNK) parser.write(text.slice(at, at + CHUNK))
    parser.end()
    flush()
    return true
  } catch (error) {
    if (error instanceof TooDeep) return false
    throw error
  }
}

const pageElements = new Set(
  'html head body title meta link style script table tbody thead tr td th div span p a b i h1 h2 h3 ul ol li pre font center'.split(
    ' ',
  ),
)

/** The name of the first element, and the kind of document; null if there is none near the beginning. */
export function rootOf(text: string): { form: 'html' | 'xml'; root: string } | null {
  const start = text.slice(0, 20_000)
  const bare = start.replaceAll(/<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)/g, '')
  const isPage = /^\s*<!doctype\s+html/i.test(bare)
  const root = /<([A-Za-z_][\w:.-]*)/.exec(bare.replaceAll(/<!doctype[^>[]*(?:\[[^\]]*\])?[^>]*>/gi, ''))?.[1]
  if (root === undefined) return null
  const name = root.toLowerCase()
  return { form: isPage || pageElements.has(name) ? 'html' : 'xml', root: name }
}
