// People at an identity provider, and their sign-ins there.
import assert from 'node:assert/strict'
import type { Reply } from '../harness.ts'
import type { Browser } from '../oauth/browser.ts'
import type { startProvider } from './provider.ts'

export const pathOf = (url: string) => new URL(url).pathname + new URL(url).search

/** The signed-in person. */
export const me = async (browser: Browser) => (await browser.get('/app/api/session')).json.data.user

export function createTrips(provider: Awaited<ReturnType<typeof startProvider>>) {
  let subjects = 0
  return {
    /** A person known to the provider. */
    someone(claims: Record<string, unknown> = {}): string {
      const login = `subject-${subjects++}`
      const names = { preferred_username: `flyer${subjects}`, name: `Flyer ${subjects}` }
      provider.people.set(login, { ...names, ...claims })
      return login
    },
    /** To the provider, through its pages, and back. */
    async trip(browser: Browser, login: string, path = '/sign-in/oidc'): Promise<Reply> {
      const leaving = await browser.get(path)
      assert.equal(leaving.status, 303, leaving.text)
      return browser.get(pathOf(await provider.visit(leaving.headers.location!, login)))
    },
  }
}
