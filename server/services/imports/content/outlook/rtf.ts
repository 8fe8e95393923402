// The page inside a text in RTF, as Outlook stores it (MS-OXRTFCP, MS-OXRTFEX). Nothing else of RTF is read.

const DICTIONARY =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'
const WINDOW = 4096
const COMPRESSED = 0x75465a4c
const HEADER = 16

/** The text of a compressed stream, up to a size; empty if it has another form. */
export function unpackRtf(bytes: Uint8Array, atMost: number): string {
  if (bytes.length < HEADER) return ''
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = Math.min(view.getUint32(4, true), atMost)
  if (view.getUint32(8, true) !== COMPRESSED) return latin1(bytes.subarray(HEADER, HEADER + size))
  const window = new Uint8Array(WINDOW)
  window.set(Buffer.from(DICTIONARY, 'latin1'))
  const out = new Uint8Array(size)
  let [at, written, place] = [HEADER, 0, DICTIONARY.length]
  const write = (byte: number) => {
    out[written++] = byte
    window[place] = byte
    place = (place + 1) % WINDOW
  }
  while (at < bytes.length && written < size) {
    const flags = bytes[at++]!
    for (let bit = 0; bit < 8 && at < bytes.length && written < size; bit++) {
      if ((flags >> bit) % 2 === 0) {
        write(bytes[at++]!)
        continue
      }
      const pair = (bytes[at]! << 8) | (bytes[at + 1] ?? 0)
      at += 2
      const from = pair >> 4
      if (from === place) return latin1(out.subarray(0, written))
      for (let i = 0; i < (pair & 15) + 2 && written < size; i++) write(window[(from + i) % WINDOW]!)
    }
  }
  return latin1(out.subarray(0, written))
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

const token = /\\'([0-9a-f]{2})|\\u(-?\d+) ?\??|\\([a-z]+)(-?\d+)? ?|\\([^a-z])|([{}])|([^\\{}]+)/gi

interface Group {
  /** Its text does not belong to the page. */
  isHidden: boolean
  /** It holds a piece of the page as it was. */
  isTag: boolean
}

/** The page that was converted to this text; empty if it was no page. */
export function htmlInRtf(rtf: string): string {
  if (!rtf.slice(0, 1_000).includes('\\fromhtml')) return ''
  const parts: string[] = []
  const groups: Group[] = [{ isHidden: false, isTag: false }]
  let isRtfOnly = false
  const say = (text: string) => {
    const { isHidden, isTag } = groups.at(-1)!
    if (!isHidden && (isTag || !isRtfOnly)) parts.push(text)
  }
  for (const [, hex, code, word, value, sign, brace, text] of rtf.matchAll(token)) {
    const group = groups.at(-1)!
    if (brace === '{') groups.push({ ...group })
    else if (brace === '}') groups.length > 1 && groups.pop()
    else if (word === 'htmltag') Object.assign(group, { isTag: true, isHidden: false })
    else if (word === 'htmlrtf') isRtfOnly = value !== '0'
    else if (word && hiddenWords.has(word)) group.isHidden = true
    else if (sign === '*') group.isHidden = true
    else if (hex) say(new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
    else if (code) say(String.fromCharCode((Number(code) + 0x10000) % 0x10000))
    else if (word) say(wordTexts[word] ?? '')
    else if (sign) say(sign === '~' ? '\u00a0' : /[\\{}]/.test(sign) ? sign : '')
    else if (text) say(text.replace(/[\r\n]+/g, ''))
  }
  return parts.join('')
}

const hiddenWords: ReadonlySet<string> = new Set(['fonttbl', 'colortbl', 'stylesheet', 'pntext', 'info'])
const wordTexts: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  tab: '\t',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  endash: '–',
  emdash: '—',
}
