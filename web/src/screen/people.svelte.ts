/** The people whose flights may be shown: oneself first, then the most frequent fellow passengers. */

import { listPeople } from '../api/people.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { Resource } from '../lib/resource.svelte.ts'
import { log } from '../log/log.svelte.ts'
import { peopleIn } from '../log/people.ts'
import { session } from '../session/session.svelte.ts'

export interface ShownPerson {
  id: string
  name: string
  isSelf: boolean
}

const others = new Resource(async (signal) => {
  const list = await listPeople(signal)
  return list.flatMap(({ id, name }) => (id === null ? [] : [{ id, name }]))
})

const self = () => ({ id: session.user?.id ?? '', name: session.user?.displayName ?? '' })

/** Null for everyone. */
const chosen = $derived(peopleIn(log.scope, self().id))

const known = $derived.by((): ShownPerson[] => {
  const names = new Map([self(), ...(others.value ?? [])].map(({ id, name }) => [id, name]))
  // Someone on the displayed flights may be neither in the list of users nor on one's own flights.
  for (const [id, { displayName }] of Object.entries(log.users))
    if (!names.has(id)) names.set(id, displayName)
  for (const id of chosen ?? []) if (!names.has(id)) names.set(id, t('people.unknown'))
  return [...names].map(([id, name]) => ({ id, name, isSelf: id === self().id }))
})

export const people = {
  get known(): readonly ShownPerson[] {
    return known
  },
  /** Those whose flights are shown; null for everyone. */
  get chosen(): readonly ShownPerson[] | null {
    return chosen === null ? null : chosen.flatMap((id) => known.find((one) => one.id === id) ?? [])
  },
  /** Why others are missing; people on the flights are known even without a connection. */
  get problem(): string {
    return others.state === 'failed' ? others.problem : ''
  },
  load: () => others.refresh(),
}

export const fullName = ({ name, isSelf }: ShownPerson): string => (isSelf ? t('people.you', { name }) : name)

/** The first name if no one else has it. */
export function shortName(person: ShownPerson): string {
  const first = firstName(person)
  const isShared = known.some((other) => other.id !== person.id && firstName(other) === first)
  return isShared ? person.name : first
}

/** The rest of the name, for screen readers. */
export const restOfName = (person: ShownPerson): string => fullName(person).slice(shortName(person).length)

const firstName = ({ name }: ShownPerson): string => name.trim().split(/\s+/)[0] ?? name

const NAMED = 2

/** `Ada`, `Ada, Bo`, `Ada, Bo and 3 more`. */
export function namesOf(list: readonly ShownPerson[] | null): string {
  if (list === null) return t('people.everyone')
  const names = list.slice(0, NAMED).map(shortName).join(', ')
  return list.length <= NAMED ? names : t('people.more', { names, count: list.length - NAMED })
}
