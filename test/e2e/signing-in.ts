// People with passwords, and how they sign in.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { DAY } from '../../server/domain/time/durations.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import type { TestApp, TestPerson } from '../harness.ts'

export const PASSWORD = 'correct horse battery'

const owners = new WeakMap<TestApp, Promise<TestPerson>>()
/** The owner of an application, without whom each page leads to set-up. */
export function ownerOf(app: TestApp): Promise<TestPerson> {
  const owner = owners.get(app) ?? app.person('owner')
  owners.set(app, owner)
  return owner
}

export async function setPassword(app: TestApp, { id }: TestPerson): Promise<void> {
  const hash = await hashPassword(PASSWORD)
  await app.store.transaction((tx) => updatePassword(tx, id, hash))
}

/** A person with a password, on an instance that is set up. */
export async function withPassword(app: TestApp): Promise<TestPerson> {
  await ownerOf(app)
  const person = await app.person()
  await setPassword(app, person)
  return person
}

/** On the sign-in page. */
export async function enterPassword(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Password').press('Enter')
}

/**
 * The session ends when the next such request is sent. If it ended earlier, a request of the app's own could get the first 401, and
 * the dialog that asks for the password would cover the form.
 */
export async function endSessionWith(
  app: TestApp,
  page: Page,
  method: string,
  address: string,
): Promise<void> {
  let isOver = false
  await page.route(address, (route) => {
    if (route.request().method() === method && !isOver) {
      isOver = true
      app.clock.advance(31 * DAY)
    }
    return route.fallback()
  })
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** A sign-in with Firefox on Linux, without a page; the Cookie header of that session. */
export async function signInElsewhere(
  app: TestApp,
  { username }: { username: string },
  password = PASSWORD,
): Promise<string> {
  const reply = await app.request('POST', '/app/api/sign-in', {
    body: { username, password },
    headers: { 'sec-fetch-site': 'same-origin', 'user-agent': firefox },
  })
  assert.equal(reply.status, 204, reply.text)
  return reply.headers['set-cookie']!.map((line) => line.split(';')[0]).join('; ')
}

/** The rights of a session. */
export const statusWith = async (app: TestApp, cookie: string): Promise<number> =>
  (await app.request('GET', '/app/api/me', { cookie })).status
