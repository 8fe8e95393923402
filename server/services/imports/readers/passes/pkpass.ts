// Boarding passes of Apple Wallet and Google Wallet. Apple's describe a flight in three ways, here by reliability: semantic tags,
// the bar code, and fields for people with free keys and labels.

import { type PassFormat, type PassUpdate, passFormats } from '../../../../domain/status/kept-pass.ts'
import type { Pass } from '../../content/content.ts'
import {
  type ReadContext,
  reads,
  type Source,
  type SourceRecord,
  type WalletPass,
} from '../../reading/source.ts'
import { isRecord, type JsonRecord } from '../documents/json.ts'
import { datedByFile } from './boarding-pass.ts'
import {
  isSameLeg,
  legsInBarcodes,
  mergedFacts,
  onFlightDay,
  type PassFacts,
  type PassLegFacts,
  recordOfFacts,
} from './facts.ts'
import { fieldFacts, fieldsOf } from './fields.ts'
import { isWallet, recordsOfWallet, recordsOfWalletLinks, walletLinksIn } from './google-wallet.ts'
import { semanticFacts, semanticsOf } from './semantics.ts'

type PassContent = Pick<Pass, 'value' | 'strings' | 'part'>

/** One record per flight of the pass, or one with the reason why there is none. */
function recordsOfApplePass({ value, strings, part }: PassContent, context: ReadContext): SourceRecord[] {
  const pass = isRecord(value) ? value : {}
  const card = isRecord(pass['boardingPass']) ? pass['boardingPass'] : null
  const title = textIn(pass, 'organizationName') ?? textIn(pass, 'logoText')
  if (!card) return [noFlight(pass, 'not a boarding pass')]
  if (card['transitType'] !== 'PKTransitTypeAir') return [noFlight(pass, 'not for a flight')]
  const flightDay = dayIn(pass, 'relevantDate') ?? firstRelevant(pass) ?? dayIn(pass, 'expirationDate')
  const own = onFlightDay(datedByFile(context, part, null), flightDay)
  const fields = fieldsOf(card, strings)
  const tags = semanticsOf(pass, card)
  const said = semanticFacts(tags, own)
  const written = fieldFacts(fields, own)
  const legs = legsInBarcodes(barcodesOf(pass), onFlightDay(own, wholeDayIn(written)))
  const boarding = dayIn(tags, 'currentBoardingDate') ?? dayIn(tags, 'originalBoardingDate')
  const relevant = boarding ?? dayIn(pass, 'relevantDate') ?? firstRelevant(pass)
  const day: PassFacts = { date: relevant === null ? null : { iso: relevant, precision: 'day' } }
  return joinedLegs(legs, said, written, day).map((leg, index) =>
    withWallet(pass, context, recordOfFacts(withPass(pass, leg, index, context.today), [title])),
  )
}

const withWallet = (pass: JsonRecord, { keepsPasses }: ReadContext, record: SourceRecord): SourceRecord =>
  keepsPasses ? { ...record, pass: { code: codeOf(pass), update: updateOf(pass) } } : record

/** The first bar code that a phone can show again. */
function codeOf(pass: JsonRecord): WalletPass['code'] {
  const listed = Array.isArray(pass['barcodes']) ? pass['barcodes'] : []
  for (const code of [...listed, pass['barcode']]) {
    if (!isRecord(code)) continue
    const format = passFormats.find((name) => textIn(code, 'format') === appleFormats[name])
    const text = code['message']
    if (format && typeof text === 'string' && text !== '')
      return { format, text, altText: textIn(code, 'altText') }
  }
  return null
}

const appleFormats: Record<PassFormat, string | null> = {
  aztec: 'PKBarcodeFormatAztec',
  pdf417: 'PKBarcodeFormatPDF417',
  qr: 'PKBarcodeFormatQR',
  datamatrix: null,
}

/** Where the airline has the changes of the pass (Apple, "Send an updated pass"). */
function updateOf(pass: JsonRecord): PassUpdate | null {
  const [service, token, type, serial] = [
    'webServiceURL',
    'authenticationToken',
    'passTypeIdentifier',
    'serialNumber',
  ].map((key) => textIn(pass, key))
  if (!service || !token || !type || !serial || !URL.canParse(service)) return null
  const { protocol, username, password } = new URL(service)
  return protocol === 'https:' && !username && !password ? { service, token, type, serial } : null
}

/** The day that the fields state with its year. */
const wholeDayIn = ({ facts: { date, yearGuess } }: PassLegFacts): string | null =>
  date && 'iso' in date && !yearGuess ? date.iso : null

/** Tags and fields describe the flight that they name, otherwise the first one. */
function joinedLegs(
  legs: readonly PassLegFacts[],
  said: PassLegFacts,
  written: PassLegFacts,
  day: PassFacts,
): PassLegFacts[] {
  if (legs.length === 0) {
    const facts = mergedFacts(said.facts, written.facts)
    return [
      {
        ...said,
        // The day of the pass is the day of boarding or of its last use.
        facts: facts.date || facts.departure?.date ? facts : mergedFacts(facts, day),
        warnings: [...said.warnings, ...written.warnings],
      },
    ]
  }
  const meant = Math.max(
    0,
    legs.findIndex(({ facts }) => isSameLeg(facts, mergedFacts(said.facts, written.facts))),
  )
  return legs.map((leg, index) => {
    if (index !== meant) return leg
    // The day of a departure with a time is more reliable than a day of the year.
    const { date: _, yearGuess: __, ...rest } = leg.facts
    const facts = mergedFacts(said.facts, said.facts.departure ? rest : leg.facts, written.facts)
    return {
      ...leg,
      facts: facts.date || facts.departure?.date ? facts : mergedFacts(facts, day),
      skip: leg.skip ?? said.skip,
      warnings: [...leg.warnings, ...said.warnings],
    }
  })
}

function withPass(pass: JsonRecord, leg: PassLegFacts, index: number, today: string): PassLegFacts {
  const [type, serial] = [textIn(pass, 'passTypeIdentifier'), textIn(pass, 'serialNumber')]
  const facts: PassFacts =
    type !== null && serial !== null
      ? { ...leg.facts, externalId: `${type}:${serial}:${index + 1}` }
      : leg.facts
  const when = facts.date ?? facts.departure?.date
  const isAhead = !!when && 'iso' in when && when.iso > today
  // Airlines void a pass after it was used or replaced.
  return pass['voided'] === true && isAhead ? { ...leg, facts, skip: 'cancelled' } : { ...leg, facts }
}

const noFlight = (pass: JsonRecord, what: string): SourceRecord => ({
  line: null,
  raw: [textIn(pass, 'organizationName'), textIn(pass, 'description'), `a wallet pass that is ${what}`]
    .flatMap((text) => text ?? [])
    .join(', '),
  skip: 'not_a_flight',
})

function barcodesOf(pass: JsonRecord): string[] {
  const listed = Array.isArray(pass['barcodes']) ? pass['barcodes'] : []
  return [...listed, pass['barcode']].flatMap((code: unknown) =>
    isRecord(code) && typeof code['message'] === 'string' ? [code['message']] : [],
  )
}

function textIn(pass: JsonRecord, key: string): string | null {
  const value = pass[key]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** The day as written; its offset is often wrong. */
const dayIn = (pass: JsonRecord, key: string): string | null =>
  /^\d{4}-\d{2}-\d{2}/.exec(textIn(pass, key) ?? '')?.[0] ?? null

/** Newer passes have a list of them. */
function firstRelevant(pass: JsonRecord): string | null {
  const list = pass['relevantDates']
  const first: unknown = Array.isArray(list) ? list[0] : null
  return isRecord(first) ? (dayIn(first, 'date') ?? dayIn(first, 'startDate')) : null
}

const passReader = reads({
  kind: 'pass',
  matches: () => true,
  records: recordsOfApplePass,
})

/** `pass.json` alone, or passes of Google Wallet. */
const jsonReader = reads({
  kind: 'json',
  matches: ({ value }) => isAppleJson(value) || isWallet(value),
  *records({ value, part }, context) {
    if (isAppleJson(value)) yield* recordsOfApplePass({ value, strings: {}, part }, context)
    else yield* recordsOfWallet(value, context)
  },
})

const isAppleJson = (value: unknown): boolean =>
  isRecord(value) && isRecord(value['boardingPass']) && 'formatVersion' in value

const linkReader = reads({
  kind: 'text',
  matches: ({ text }) => walletLinksIn(text).length > 0,
  *records({ text }, context) {
    const records = recordsOfWalletLinks(text, context)
    if (records.length > 0) yield* records
    else
      yield {
        line: null,
        raw: 'A link of Google Wallet that only refers to the pass. Its content is stored at Google.',
        error: { code: 'unreadable_row' },
      }
  },
})

export const pkpass: Source = {
  id: 'pkpass',
  name: 'Wallet pass',
  extensions: ['pkpass', 'pkpasses', 'json'],
  opensBookings: true,
  options: ['bookingReference', 'includeCancelled', 'includeOthers'],
  readers: [passReader, jsonReader, linkReader],
}
