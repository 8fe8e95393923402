// Sanitises uploaded SVG: the file is parsed strictly and written again from allowed elements and attributes. What editors
// add (metadata, comments, their own attributes) is dropped; anything else that is not allowed refuses the whole file.

import { asProblem, type Given, messageOf, type Problem, problem } from './reasons.ts'

const CHARACTERS_AT_MOST = 1_000_000
const ELEMENTS_AT_MOST = 20_000
const DEPTH_AT_MOST = 64
const NAMESPACE = 'http://www.w3.org/2000/svg'

const set = (words: string) => new Set(words.split(/\s+/))

const drawn = set(`svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc
  linearGradient radialGradient stop clipPath mask pattern marker
  filter feBlend feColorMatrix feComposite feFlood feGaussianBlur feMerge feMergeNode feOffset`)
const withText = set('text tspan title desc')

/** Elements that editors add; they and their content are dropped. */
const leftOut = /^(?:metadata|(?:sodipodi|inkscape|rdf|cc|dc|i|sketch|serif|vectornator):[\w.-]+)$/

const kept =
  set(`id x y x1 y1 x2 y2 dx dy cx cy r rx ry fx fy fr width height d points transform rotate viewBox
  preserveAspectRatio pathLength offset style href fill fill-opacity fill-rule stroke stroke-width stroke-opacity
  stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color display
  visibility overflow clip-path clip-rule mask filter paint-order vector-effect shape-rendering stop-color
  stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits patternUnits
  patternContentUnits patternTransform markerWidth markerHeight markerUnits refX refY orient marker-start marker-mid
  marker-end font-family font-size font-style font-weight font-stretch letter-spacing word-spacing text-anchor
  text-decoration dominant-baseline baseline-shift textLength lengthAdjust filterUnits primitiveUnits in in2 result
  type values mode operator k1 k2 k3 k4 stdDeviation flood-color flood-opacity color-interpolation-filters
  mix-blend-mode isolation enable-background`)

/** Attributes without effect on the picture. So are all names with a prefix, except `xlink:href`. */
const needless =
  /^(?:class|version|baseProfile|role|focusable|lang|tabindex|xmlns|data-[\w.-]+|aria-[\w-]+|[\w-]+:[\w.-]+)$/

const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const comment = /<!--[\s\S]*?-->/y
const declaration = /<\?xml\s[^?<>]*\?>/y
/** A document type without entity definitions, which could expand to anything. */
const documentType = /<!DOCTYPE\s[^[\]<>]*>/iy
const endTag = new RegExp(`</(${NAME})\\s*>`, 'y')
const startTag = new RegExp(`<(${NAME})`, 'y')
const attribute = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y')
const tagEnd = /\s*(\/?)>/y
const text = /[^<]+/y

interface Node {
  name: string
  attributes: [string, string][]
  children: (Node | string)[]
}

class Refused extends Error {
  readonly problem: Problem

  constructor(given: Given) {
    super(messageOf(given))
    this.problem = asProblem(given)
  }
}

const malformed = (near: string) =>
  new Refused(problem('svg_malformed', { near: near.slice(0, NEAR_AT_MOST) }))
const NEAR_AT_MOST = 60

/** The drawing as it may be stored and shown, or the reason why it may not. */
export function cleanSvg(source: string): { svg: string } | { fault: Problem } {
  if (source.length > CHARACTERS_AT_MOST)
    return { fault: problem('svg_too_long', { max: CHARACTERS_AT_MOST }) }
  try {
    const root = read(source.replace(/^\uFEFF/, ''))
    requireFlatUse(root)
    return { svg: write(root, ` xmlns="${NAMESPACE}"`) }
  } catch (error) {
    if (error instanceof Refused) return { fault: error.problem }
    throw error
  }
}

// Reading

function read(source: string): Node {
  let at = 0
  let elements = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (match) at = pattern.lastIndex
    return match ?? undefined
  }
  const readAttributes = (element: string): [string, string][] => {
    const found = new Map<string, string>()
    for (let match = take(attribute); match; match = take(attribute)) {
      const name = match[1] === 'xlink:href' ? 'href' : match[1]!
      if (found.has(name)) throw malformed(`<${element} ${name}`)
      found.set(name, decoded(match[2] ?? match[3]!))
    }
    return [...found]
  }

  const document: Node = { name: '', attributes: [], children: [] }
  const open: Node[] = [document]
  take(declaration)
  while (at < source.length) {
    const parent = open.at(-1)!
    if (take(comment)) continue
    if (open.length === 1 && document.children.length === 0 && take(documentType)) continue
    const words = take(text)
    if (words) {
      if (withText.has(parent.name)) parent.children.push(decoded(words[0]))
      if (open.length === 1 && words[0].trim()) throw new Refused('svg_not_whole')
      continue
    }
    const end = take(endTag)
    if (end) {
      if (open.length === 1 || open.pop()!.name !== end[1]) throw malformed(`</${end[1]}>`)
      continue
    }
    const name = take(startTag)?.[1]
    if (name === undefined) throw malformed(source.slice(at, at + NEAR_AT_MOST))
    if (++elements > ELEMENTS_AT_MOST)
      throw new Refused(problem('svg_too_many_elements', { max: ELEMENTS_AT_MOST }))
    const given = readAttributes(name)
    const closing = take(tagEnd)
    if (!closing) throw malformed(`<${name}`)
    const isWritten = requireKnown(name, open)
    const attributes = isWritten ? given.filter(([key, value]) => isKept(name, key, value)) : []
    const node: Node = { name, attributes, children: [] }
    parent.children.push(node)
    if (!closing[1]) open.push(node)
  }
  const roots = document.children.filter((child) => typeof child !== 'string')
  if (open.length > 1 || roots.length !== 1 || roots[0]!.name !== 'svg') {
    throw new Refused('svg_not_whole')
  }
  return roots[0]!
}

/** Refuses an element that is on no list; false if it is dropped. */
function requireKnown(name: string, open: readonly Node[]): boolean {
  if (open.length > DEPTH_AT_MOST) throw new Refused(problem('svg_too_deep', { max: DEPTH_AT_MOST }))
  if (leftOut.test(name) || open.some((node) => leftOut.test(node.name))) return false
  if (drawn.has(name)) return true
  throw new Refused(problem('svg_element_not_allowed', { element: name.slice(0, NEAR_AT_MOST) }))
}

/** Whether an attribute is written; refuses those that could do more than draw. */
function isKept(element: string, name: string, value: string): boolean {
  if (!kept.has(name) && needless.test(name)) {
    if (name === 'xmlns' && element === 'svg' && value !== NAMESPACE) throw new Refused('svg_not_whole')
    return false
  }
  if (!kept.has(name))
    throw new Refused(problem('svg_attribute_not_allowed', { attribute: name.slice(0, NEAR_AT_MOST) }))
  if (name === 'href' && !/^#[\w.:-]+$/.test(value)) {
    throw new Refused(problem('svg_foreign_reference', { attribute: name }))
  }
  if (name === 'id') return true
  const own = value.replaceAll(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi, '')
  if (/url\s*\(|[\\@]|\/\*|expression|javascript:|image(?:-set)?\s*\(/i.test(own)) {
    throw new Refused(problem('svg_foreign_reference', { attribute: name }))
  }
  return true
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** XML's own references; others would need definitions. */
function decoded(raw: string): string {
  const plain = raw.replaceAll(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (_, word, dec, hex) => {
      if (word) return named[word as string]!
      const code = dec ? Number(dec) : Number.parseInt(hex as string, 16)
      return code > 0x10_ffff ? '\u0000' : String.fromCodePoint(code)
    },
  )
  if (/&/.test(raw.replaceAll(/&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});/g, ''))) {
    throw malformed('&')
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML does not allow
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u.test(plain)) {
    throw new Refused('svg_not_storable')
  }
  return plain
}

/** Copies of copies grow exponentially: what a <use> repeats must not contain another <use>. */
function requireFlatUse(root: Node): void {
  const byId = new Map<string, Node>()
  const uses: string[] = []
  const visit = (node: Node): void => {
    for (const [name, value] of node.attributes) {
      if (name === 'id' && !byId.has(value)) byId.set(value, node)
      if (name === 'href' && node.name === 'use') uses.push(value.slice(1))
    }
    for (const child of node.children) if (typeof child !== 'string') visit(child)
  }
  visit(root)
  const repeats = (node: Node): boolean =>
    node.name === 'use' || node.children.some((child) => typeof child !== 'string' && repeats(child))
  const targets = new Set(uses.flatMap((id) => byId.get(id) ?? []))
  for (const target of targets) if (repeats(target)) throw new Refused('svg_nested_use')
}

// Writing

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (value: string) => value.replaceAll(/[&<>"]/g, (character) => escapes[character]!)

function write(node: Node, more = ''): string {
  const attributes = node.attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
  const inner = node.children
    .map((child) => {
      if (typeof child === 'string') return escaped(child)
      return leftOut.test(child.name) ? '' : write(child)
    })
    .join('')
  return `<${node.name}${more}${attributes}>${inner}</${node.name}>`
}
