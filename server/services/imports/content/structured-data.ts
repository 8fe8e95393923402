// The machine-readable data of a page: JSON-LD in scripts and microdata in elements. The items of both have the same shape.
import { parseJson } from './json.ts'
import { walkMarkup } from './markup.ts'

interface StructuredData {
  items: unknown[]
  /** Scripts that are not JSON, even after a repair. */
  broken: string[]
}

/** The size of one script; no booking comes near it. */
const SCRIPT_AT_MOST = 2 * 2 ** 20
const ITEMS_AT_MOST = 1_000
/** The length of a property's text. */
const VALUE_AT_MOST = 2_000

const isSchema = (type: string | undefined): boolean =>
  /^https?:\/\/(?:www\.)?schema\.org\//i.test(type?.trim() ?? '')

/** A cheap check before the page is parsed. */
export const hasStructuredData = (html: string): boolean =>
  /application\/ld\+json/i.test(html) || /itemtype\s*=\s*["']?\s*https?:\/\/(?:www\.)?schema\.org/i.test(html)

export function structuredDataOf(html: string): StructuredData {
  const data: StructuredData = { items: [], broken: [] }
  const microdata = createMicrodata(data.items)
  let script: string | null = null
  walkMarkup(html, 'html', {
    open(name, attributes) {
      if (name === 'script')
        script = /^application\/ld\+json/i.test(attributes['type']?.trim() ?? '') ? '' : null
      microdata.open(attributes)
    },
    text(text) {
      if (script !== null && script.length <= SCRIPT_AT_MOST) script += text
      microdata.text(text)
    },
    close(name) {
      if (name === 'script' && script !== null) addScript(data, script)
      if (name === 'script') script = null
      microdata.close()
    },
  })
  return data
}

function addScript(data: StructuredData, script: string): void {
  if (script.trim() === '' || data.items.length + data.broken.length >= ITEMS_AT_MOST) return
  const parsed = parseJson(script)
  const repaired = 'value' in parsed ? null : repairedJson(script)
  const readings = repaired === null ? [parsed] : [parseJson(repaired), parseJson(`[${repaired}]`)]
  const read = readings.find((one) => 'value' in one)
  if (read && 'value' in read) data.items.push(read.value)
  else data.broken.push(script)
}

const entities: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
  '#34': '"',
  '#39': "'",
}

/** Removes surrounding comments, HTML entities and trailing commas, and adds missing commas between objects. */
function repairedJson(script: string): string {
  const bare = script
    .trim()
    .replace(/^(?:<!--|<!\[CDATA\[|\/\/\s*<!\[CDATA\[)/, '')
    .replace(/(?:\/\/\s*)?(?:-->|\]\]>)\s*;?$/, '')
  const plain = bare.replace(/&(quot|amp|apos|lt|gt|nbsp|#34|#39);/g, (_, name: string) => entities[name]!)
  return withRightCommas(plain).replace(/;\s*$/, '')
}

/** Commas inside strings stay, and line breaks there are escaped. */
function withRightCommas(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"|,(?=\s*[}\]])|\}(?=\s*\{)/g, (found) =>
    found === ',' || found === '}'
      ? { ',': '', '}': '},' }[found]
      : found.replace(/[\n\r\t]/g, (sign) => (sign === '\n' ? '\\n' : sign === '\t' ? '\\t' : '')),
  )
}

type Item = Record<string, unknown>

interface OpenElement {
  item: Item | null
  /** The property whose value is the text of the element, and its owner. */
  property: { owner: Item; names: string[]; text: string } | null
}

/** Items of microdata, nested as they are in the page. */
function createMicrodata(found: unknown[]) {
  const elements: OpenElement[] = []
  const owners: Item[] = []

  function open(attributes: Readonly<Record<string, string>>): void {
    const owner = owners.at(-1)
    const names = (attributes['itemprop'] ?? '').split(/\s+/).filter((name) => name !== '')
    const element: OpenElement = { item: null, property: null }
    if ('itemscope' in attributes) {
      element.item = itemOf(attributes)
      if (owner && names.length > 0) for (const name of names) add(owner, name, element.item)
      else if (isSchema(attributes['itemtype']) && found.length < ITEMS_AT_MOST) found.push(element.item)
      owners.push(element.item)
    } else if (owner && names.length > 0) {
      const value = attributes['content'] ?? attributes['datetime'] ?? attributes['href'] ?? attributes['src']
      if (value === undefined) element.property = { owner, names, text: '' }
      else for (const name of names) add(owner, name, value.trim().slice(0, VALUE_AT_MOST))
    }
    elements.push(element)
  }

  return {
    open,
    text(text: string): void {
      for (const { property } of elements)
        if (property && property.text.length < VALUE_AT_MOST) property.text += text.slice(0, VALUE_AT_MOST)
    },
    close(): void {
      const element = elements.pop()
      if (element?.item) owners.pop()
      if (!element?.property) return
      const { owner, names, text } = element.property
      for (const name of names) add(owner, name, text.replace(/\s+/g, ' ').trim())
    },
  }
}

const itemOf = ({ itemtype, itemid }: Readonly<Record<string, string>>): Item => {
  const item: Item = Object.create(null)
  item['@type'] = itemtype?.trim().split(/\s+/)[0]
  if (itemid) item['@id'] = itemid
  return item
}

function add(item: Item, name: string, value: unknown): void {
  const before = item[name]
  if (before === undefined) item[name] = value
  else if (Array.isArray(before)) before.push(value)
  else item[name] = [before, value]
}
