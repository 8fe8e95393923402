// A browser in which a person has signed in keeps a proof of that, longer than any session. The proof is keyed with the
// person's stored password hash and browser key: only the server can make it, it is valid only for this person, the server
// stores nothing for it, and a new password or key invalidates every older proof.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomText } from '../../base/secret/secrets.ts'
import { DAY } from '../../domain/time/durations.ts'

/** The longest time that browsers keep a cookie. */
export const KNOWN_BROWSER_MS = 400 * DAY
/** How many people's proofs one browser keeps. */
const PEOPLE_AT_MOST = 5

const proofShape = /^([a-z2-7]{16})\.([0-9a-z]{1,9})\.([\w-]{43})$/

export interface KnownPerson {
  id: string
  passwordHash: string | null
  browserKey: string
}

const keyOf = ({ passwordHash, browserKey }: KnownPerson): string => `${passwordHash ?? ''}${browserKey}`

/** The id of the browser with these proofs for this person; undefined if it is not known. */
export function findKnownBrowser(
  proofs: string | undefined,
  person: KnownPerson,
  now: number,
): string | undefined {
  return listed(proofs)
    .map((proof) => browserIn(proof, person, now))
    .find((id) => id !== undefined)
}

/** The browser's proofs with a fresh one for this person; those for other people stay. */
export function rememberBrowser(proofs: string | undefined, person: KnownPerson, now: number): string {
  const others = listed(proofs).filter((proof) => browserIn(proof, person, now) === undefined)
  const id = findKnownBrowser(proofs, person, now) ?? randomText(16)
  const issued = Math.floor(now / 1000).toString(36)
  return [`${id}.${issued}.${sign(id, issued, person)}`, ...others].slice(0, PEOPLE_AT_MOST).join('~')
}

const listed = (proofs: string | undefined): string[] => proofs?.split('~', PEOPLE_AT_MOST) ?? []

function browserIn(proof: string, person: KnownPerson, now: number): string | undefined {
  const [, id, issued, given] = proofShape.exec(proof) ?? []
  if (!id || !issued || !given || keyOf(person) === '') return undefined
  if (Number.parseInt(issued, 36) * 1000 + KNOWN_BROWSER_MS <= now) return undefined
  return timingSafeEqual(Buffer.from(given), Buffer.from(sign(id, issued, person))) ? id : undefined
}

const sign = (id: string, issued: string, person: KnownPerson): string =>
  createHmac('sha256', keyOf(person))
    .update(['known browser', person.id, id, issued].join('\n'))
    .digest('base64url')
