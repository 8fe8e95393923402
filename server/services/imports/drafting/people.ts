// The passengers of a flight in a file: the importer, guests, and users of this instance if the importer may import their flights.

import type { ImportOptions, ImportWarning } from '../../../domain/imports/imports.ts'
import { isTraveller, writtenName } from '../../../domain/people/travellers.ts'
import { storedFold } from '../../../domain/text/fold.ts'
import { listPeople, type Person } from '../../../store/people/people.ts'
import type { Executor } from '../../../store/store.ts'
import { credentialMay, type Principal, roleMayUse } from '../../access/principal.ts'
import { peopleKnownTo } from '../../reference/resolve/people.ts'
import type { SourceAccount, SourceFlight, SourcePerson, SourceRecord } from '../reading/source.ts'
import { cleanText, fieldText, shortenText } from '../values/text.ts'
import type { Answer, DraftPassenger, Question } from './draft.ts'
import type { Asked } from './questions.ts'

type Traveller = Omit<DraftPassenger, 'customFields'> & {
  /** Values by the file's keys. */
  sourceFields: Record<string, unknown>
}

interface Travellers {
  passengers: Traveller[]
  /** Names that are not identified yet. */
  people: string[]
  warnings: ImportWarning[]
  waitsFor: string[]
  /** The importer is certainly not a passenger. */
  isNotMine: boolean
  /** The file names the importer as a passenger. */
  isNamed: boolean
}

/** A user, a guest, or an unidentified name. */
type Who = { userId: string } | { guestName: string } | { unknown: string; waitsFor: string }

interface Parts {
  db: Executor
  principal: Principal
  options: ImportOptions
  /** Finds the question about a name, including the answer. */
  ask(value: string, row: number): Asked<unknown>
  answerTo(value: string): Answer | null
}

export interface People {
  prepare(records: readonly SourceRecord[]): Promise<void>
  resolve(flight: SourceFlight, row: number): Travellers
  choices(name: string): Question['choices']
  /** Whether an account of the file is the importer's. Creates no question. */
  isImporter(account: SourceAccount): boolean
}

export function createPeople({ db, principal, options, ask, answerTo }: Parts): People {
  const { user } = principal
  const isRestore = options.mode === 'restore'
  const mayImportOthers =
    roleMayUse(principal, 'flight.import.any') && credentialMay(principal, 'flight.import.any')
  let users: readonly Person[] = []
  /** Users whom the importer may know, for names on tickets. */
  let known: readonly Choice[] | undefined
  let areUsersKnown = false
  /** Accounts of the file that have the importer's name. */
  const own = new Set<string>()
  /** Whether an option sets the importer's account; an answer may also do so for an account of the file. */
  const isChosen = Object.values(options.users ?? {}).includes(user.id)
  let isAnswered = false

  const isOwnName = ({ key, username }: SourceAccount): boolean =>
    key === user.id || (username !== null && storedFold(username) === storedFold(user.username))

  async function prepare(records: readonly SourceRecord[]) {
    const accounts = records.flatMap(({ flight, accounts: listed = [] }) => [
      ...listed,
      ...(flight?.passengers ?? []).flatMap(({ who }) => (who.kind === 'account' ? who : [])),
    ])
    isAnswered ||= accounts.some((account) => isSelf(answerTo(labelOf(account))))
    if (!isChosen) for (const account of accounts) if (isOwnName(account)) own.add(account.key)
    const areNamed = records.some(({ flight }) => flight?.passengers?.some(({ who }) => who.kind === 'named'))
    if (areNamed && mayImportOthers) known ??= await knownUsers({ db, principal })
    if (accounts.length === 0 || areUsersKnown || !isRestore || !mayImportOthers) return
    users = await listPeople(db)
    areUsersKnown = true
  }

  const guest = (name: string): Who => ({ guestName: writtenName(name) })

  const isSelf = (answer: Answer | null): boolean => answer?.id === 'self' || answer?.id === user.id

  /** The person that an answer gives for a name. Other users are only accepted if the importer may import their flights. */
  function answered(answer: Answer, name: string): Who {
    if (answer.leaveEmpty || answer.id === 'guest' || answer.id === undefined) return guest(name)
    if (isSelf(answer)) return { userId: user.id }
    return mayImportOthers ? { userId: String(answer.id) } : guest(name)
  }

  function question(value: string, name: string, row: number): Who {
    const { answer, key } = ask(value, row)
    return answer ? answered(answer, name) : { unknown: name, waitsFor: key }
  }

  function accountOf(account: SourceAccount, row: number): Who {
    const { key, name } = account
    const mapped = options.users?.[key]
    if (mapped === null) return guest(name)
    if (mapped !== undefined) return mayImportOthers || mapped === user.id ? { userId: mapped } : guest(name)
    if (isRestore) return restored(account, row)
    if (own.has(key)) return { userId: user.id }
    const label = labelOf(account)
    // Once the importer's account is known, the others are guests, unless an answer says otherwise.
    const isKnown = own.size > 0 || isChosen || isAnswered
    return isKnown && !answerTo(label) ? guest(name) : question(label, name, row)
  }

  /** For a restore: maps all accounts, and treats an equal user name as the same person. */
  function restored(account: SourceAccount, row: number): Who {
    const { key, username, name } = account
    const same = users.find(
      (person) =>
        person.id === key || (username !== null && storedFold(person.username) === storedFold(username)),
    )
    return same ? { userId: same.id } : question(labelOf(account), name, row)
  }

  function named(name: string, row: number): Who {
    const verdict = isTraveller(name, user.displayName)
    if (verdict === 'same') return { userId: user.id }
    return verdict === 'other' ? guest(name) : question(name, name, row)
  }

  function whoIs({ who }: SourcePerson, row: number): Who {
    if (who.kind === 'self') return { userId: user.id }
    return who.kind === 'named' ? named(who.name, row) : accountOf(who, row)
  }

  const isSelfAboard = (who: Who): boolean => 'userId' in who && who.userId === user.id

  /** One of the names is the importer's. Asks which one if none matches; once it is known, the others are guests. */
  function withImporter(names: readonly Who[], row: number): Who[] {
    if (names.some(isSelfAboard)) return [...names]
    const asked = names.map((who) => ('guestName' in who ? question(who.guestName, who.guestName, row) : who))
    return asked.some(isSelfAboard)
      ? asked.map((who) => ('unknown' in who ? guest(who.unknown) : who))
      : asked
  }

  /** For another person's pass: asks whose it is if the importer may import flights of others. */
  function withOthers(names: readonly Who[], written: readonly SourcePerson[], row: number): Who[] {
    if (!mayImportOthers || names.some((who) => !('guestName' in who))) return [...names]
    return names.map((who, index) => {
      const { who: given } = written[index]!
      return given.kind === 'named' ? question(given.name, given.name, row) : who
    })
  }

  function whoAre({ passengers = [], isImporterNamed, areAllNamed }: SourceFlight, row: number): Who[] {
    const found = passengers.map((person) => whoIs(person, row))
    if (isImporterNamed) return withImporter(found, row)
    return areAllNamed ? withOthers(found, passengers, row) : found
  }

  function resolve(flight: SourceFlight, row: number): Travellers {
    const { passengers = [], verbatim, areAllNamed } = flight
    const result: Travellers = {
      passengers: [],
      people: [],
      warnings: [],
      waitsFor: [],
      isNotMine: false,
      isNamed: false,
    }
    const known = whoAre(flight, row)
    for (const [index, person] of passengers.entries()) add(result, person, known[index]!, verbatim)
    // Only names on tickets count: an account of another program can have any name.
    result.isNamed = passengers.some(({ who }, index) => who.kind === 'named' && isSelfAboard(known[index]!))
    const isAboard = result.passengers.some(({ userId }) => userId === user.id)
    if (isRestore && verbatim && result.passengers.length > 0) return result
    // The flight belongs to another user of this instance.
    if (areAllNamed && !isAboard && result.passengers.some(({ userId }) => userId !== null)) return result
    if (!isAboard && !(isRestore && result.passengers.length + result.people.length > 0)) {
      const hasAccounts = passengers.some(({ who }) => who.kind === 'account')
      result.isNotMine = (hasAccounts || areAllNamed === true) && result.waitsFor.length === 0
      result.passengers.unshift({ ...nothingSaid, userId: user.id })
    }
    return result
  }

  function add(result: Travellers, person: SourcePerson, who: Who, verbatim?: true): void {
    if ('unknown' in who) {
      result.people.push(who.unknown)
      result.waitsFor.push(who.waitsFor)
      return
    }
    const { warnings } = result
    const named = 'guestName' in who ? who.guestName : null
    const guestName = named === null || verbatim ? named : nameOf(named, warnings)
    const userId = 'userId' in who ? who.userId : null
    if (userId === null && guestName === null) return
    const isThere = result.passengers.some(
      (other) => other.userId === userId && other.guestName === guestName,
    )
    if (isThere) return
    result.passengers.push({
      userId,
      guestName,
      seat: person.seat ?? null,
      seatNumber: verbatim
        ? (person.seatNumber ?? null)
        : fieldText('seatNumber', person.seatNumber?.toUpperCase(), warnings),
      seatClass: person.seatClass ?? null,
      flightReason: person.flightReason ?? null,
      sourceFields: person.customFields ?? {},
    })
  }

  return {
    prepare,
    resolve,
    isImporter(account) {
      const mapped = options.users?.[account.key]
      if (mapped !== undefined) return mapped === user.id
      return own.has(account.key) || isSelf(answerTo(labelOf(account)))
    },
    choices(name) {
      const self = { id: 'self', label: user.displayName, detail: user.username }
      const others = users
        .filter(({ id }) => id !== user.id)
        .map(({ id, displayName, username }) => ({ id, label: displayName, detail: username }))
      const likely = (known ?? []).filter(({ label }) => !isRestore && isTraveller(name, label) !== 'other')
      return [
        self,
        ...likely.slice(0, LIKELY_AT_MOST),
        { id: 'guest', label: name, detail: '' },
        ...others.slice(0, 50),
      ]
    },
  }
}

type Choice = Question['choices'][0]
const LIKELY_AT_MOST = 5

const knownUsers = async (given: Pick<Parts, 'db' | 'principal'>): Promise<Choice[]> =>
  (await peopleKnownTo(given)).others.flatMap(({ userId, name, username }) =>
    userId === null ? [] : [{ id: userId, label: name, detail: username ?? '' }],
  )

const GUEST_NAME_AT_MOST = 100
const nameOf = (name: string, warnings: ImportWarning[]): string | null => {
  const clean = cleanText(name, 'guestName', warnings).replace(/\s+/g, ' ').trim()
  return clean === '' ? null : shortenText(clean, GUEST_NAME_AT_MOST, 'guestName', warnings)
}

const labelOf = ({ name, username }: SourceAccount): string =>
  username === null || username === name ? name : `${name} (${username})`

const nothingSaid = {
  guestName: null,
  sourceFields: {},
  seat: null,
  seatNumber: null,
  seatClass: null,
  flightReason: null,
} as const
