// The sign-in page in all its forms: ways in and their order, languages, waiting, without script, by keyboard, on small screens.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { hashPassword } from '../../server/auth/passwords.ts'
import type { Config } from '../../server/base/config.ts'
import { insertPasskey } from '../../server/store/passkeys.ts'
import { updatePassword } from '../../server/store/people.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, type Journey, journeys, overflowOf, requireAccessible, showIn } from './browser.ts'
import { keyboardOf } from './keyboard.ts'

const PASSWORD = 'a long enough password'

const oidc: NonNullable<Config['oidc']> = {
  issuer: 'http://127.0.0.1:9',
  clientId: 'contrail',
  clientSecret: undefined,
  name: 'Authentik',
  scope: 'openid',
  register: true,
  auto: false,
  passwords: true,
  roles: [],
}

let owner: Promise<TestPerson> | undefined
/** The owner with a password; the same for all journeys of one application. */
async function ownerOf(app: TestApp): Promise<TestPerson> {
  owner ??= (async () => {
    const person = await app.person('owner')
    const hash = await hashPassword(PASSWORD)
    await app.store.transaction((tx) => updatePassword(tx, person.id, hash))
    return person
  })()
  return owner
}

const fields = (page: Page) => ({ name: page.getByLabel('Username'), password: page.getByLabel('Password') })
const submit = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })
const focused = (page: Page) => page.evaluate<string>('document.activeElement?.id ?? ""')

/** Buttons, links and fields in the order in which they stand. */
const waysOn = (page: Page) =>
  page
    .locator('main :is(button, a, input:not([type=hidden]), summary)')
    .evaluateAll((all) => all.map((one) => one.textContent?.trim() || one.id))

/** Until the response is shown: the page before may say the same, and what is typed into it is lost. */
async function tryWrong(page: Page, name: string): Promise<void> {
  await fields(page).name.fill(name)
  await fields(page).password.fill('wrong wrong')
  const shown = page.waitForEvent('load')
  await submit(page).click()
  await shown
}

async function looksRight(page: Page, what: string): Promise<void> {
  await requireAccessible(page, what)
  await showIn(page, 'dark')
  await requireAccessible(page, `${what}, dark`)
  await showIn(page, 'light')
}

async function onSmallScreens({ open }: Journey, path: string): Promise<void> {
  for (const viewport of [
    { width: 320, height: 640 },
    // 1280 × 800 at 200 %.
    { width: 640, height: 400 },
    { width: 1000, height: 500 },
  ]) {
    const page = await open(path, { viewport })
    assert.deepEqual(await overflowOf(page), [], JSON.stringify(viewport))
    const picture = page.locator('.awaits')
    assert.equal(await picture.isVisible(), viewport.height >= 560, 'under 560 px high the picture goes')
    await requireAccessible(page, `${path} at ${viewport.width}`)
  }
}

journeys(
  'sign-in with every way',
  'sqlite',
  ({ journey }) => {
    journey(
      'passkey (once there is one), provider, password, in this order and in each language',
      async (given) => {
        const { app, open } = given
        const owner = await ownerOf(app)
        const page = await open('/sign-in')
        await heading(page, 'Sign in').waitFor()
        const passwordWay = ['username', 'password', 'Sign in']
        assert.deepEqual(await waysOn(page), [
          'Sign in with Authentik',
          ...passwordWay,
          'Sign in with a passkey',
        ])
        await looksRight(page, 'before anyone has a passkey')
        const key = { credentialId: 'a', publicKey: 'b', counter: 0, transports: [], name: 'YubiKey' }
        const createdAt = new Date(app.clock.now()).toISOString()
        await app.store.transaction((tx) => insertPasskey(tx, { ...key, userId: owner.id, createdAt }))
        await page.reload()
        await page.getByText(`to the flight log at ${new URL(app.url).host}`).waitFor()
        assert.deepEqual(await waysOn(page), [
          'Sign in with a passkey',
          'Sign in with Authentik',
          ...passwordWay,
        ])
        assert.equal(await fields(page).name.getAttribute('autocomplete'), 'username webauthn')
        await page.getByText('Can’t sign in? The person who runs this log can give you a link.').waitFor()
        await looksRight(page, 'every way')
        await page.getByRole('link', { name: 'Deutsch' }).click()
        await heading(page, 'Anmelden').waitFor()
        await page.getByRole('button', { name: 'Mit Passkey anmelden' }).waitFor()
        await looksRight(page, 'in German')
        await page.goto('/sign-in')
        await heading(page, 'Anmelden').waitFor()
        await page.goto('/share/none')
        await heading(page, 'Hier ist nichts geteilt').waitFor()
        await page.goto('/oauth/authorize')
        await heading(page, 'Diese App kann sich nicht verbinden').waitFor()
        await requireAccessible(page, 'an error page')
        await page.goto('/sign-in?lang=fr')
        await page.getByRole('button', { name: 'Se connecter avec une clé d’accès' }).waitFor()
        assert.equal(await page.locator('html').getAttribute('lang'), 'fr')
        await onSmallScreens(given, '/sign-in?lang=de')
        await onSmallScreens(given, '/sign-in?lang=fr')
      },
    )

    journey('typing begins at the user name on a desktop, nowhere on a phone', async ({ app, open }) => {
      await ownerOf(app)
      const desk = await open('/sign-in')
      await desk.locator('#username:focus').waitFor()
      const phone = await open('/sign-in', { device: 'phone' })
      await phone.waitForLoadState('networkidle')
      assert.equal(await focused(phone), '')
      assert.ok(await phone.getByRole('button', { name: 'Sign in with a passkey' }).isVisible())
      await requireAccessible(phone, 'on a phone')
    })

    journey(
      'by keyboard: wrong is said over the form, the name stays, right goes on',
      async ({ app, open }) => {
        const { username } = await ownerOf(app)
        const page = await open('/sign-in?next=/settings/security')
        const { fill, type, press } = keyboardOf(page)
        await fill('Username', username)
        await press('Tab')
        await type('not it')
        await press('Enter')
        await page.getByRole('alert').filter({ hasText: 'Username or password is wrong.' }).waitFor()
        // The browser moves the focus after it has shown the page.
        await page.locator('#password:focus').waitFor()
        assert.deepEqual(
          [
            await focused(page),
            await fields(page).name.inputValue(),
            await fields(page).password.inputValue(),
          ],
          ['password', username, ''],
        )
        await looksRight(page, 'wrong')
        await type(PASSWORD)
        await press('Enter')
        await heading(page, 'Security').waitFor()
      },
    )

    journey('an unknown name gets the same words', async ({ app, open }) => {
      const { username } = await ownerOf(app)
      const texts = []
      for (const name of [username, 'nobody-here']) {
        const page = await open('/sign-in')
        await tryWrong(page, name)
        texts.push(await page.getByRole('alert').textContent())
        assert.equal(await fields(page).name.inputValue(), name)
      }
      assert.equal(texts[0], texts[1])
    })

    journey('a wait counts down and ends; the passkey stays usable', async ({ app, open }) => {
      await ownerOf(app)
      app.clock.advance(3_600_000)
      const page = await open('/sign-in')
      await page.clock.install()
      const note = page.locator('.problem')
      for (let i = 0; i < 5; i++) {
        await tryWrong(page, `made-up-${i}`)
        await note.filter({ hasText: 'is wrong' }).waitFor()
      }
      await tryWrong(page, 'made-up-5')
      await note.filter({ hasText: /Too many attempts\. Try again in \d+\ss\./ }).waitFor()
      const seconds = async () => Number(/(\d+)\ss/.exec((await note.textContent()) ?? '')?.[1])
      const before = await seconds()
      assert.ok(await page.getByRole('button', { name: 'Sign in with a passkey' }).isEnabled())
      await requireAccessible(page, 'waiting')
      await page.clock.runFor(5000)
      assert.ok((await seconds()) <= before - 4, `${await seconds()} of ${before}`)
      await page.clock.runFor(before * 1000)
      await page.getByRole('status').filter({ hasText: 'You can try again now.' }).waitFor()
    })

    journey('without script: no passkey, and the form does all it does', async ({ app, open }) => {
      const { username } = await ownerOf(app)
      app.clock.advance(3_600_000)
      const page = await open('/sign-in', { javaScriptEnabled: false })
      assert.ok(!(await page.getByText('Sign in with a passkey').isVisible()))
      assert.ok(await page.getByRole('link', { name: 'Sign in with Authentik' }).isVisible())
      await page.getByRole('link', { name: 'Français' }).click()
      await page.getByLabel('Nom d’utilisateur').fill(username)
      await page.getByLabel('Mot de passe').fill('wrong wrong')
      await page.getByLabel('Mot de passe').press('Enter')
      await page.getByText('Le nom d’utilisateur ou le mot de passe est incorrect.').waitFor()
      await page.getByLabel('Mot de passe').fill(PASSWORD)
      await page.getByLabel('Mot de passe').press('Enter')
      await page.waitForURL((url) => url.pathname === '/')
    })

    journey('the app that waits is named, and in each language', async ({ app, open }) => {
      const { username } = await ownerOf(app)
      app.clock.advance(3_600_000)
      const redirect_uri = 'http://127.0.0.1:9/back'
      const registered = await app.request('POST', '/oauth/register', {
        body: {
          client_name: 'Logbook <b>Pro</b>',
          redirect_uris: [redirect_uri],
          token_endpoint_auth_method: 'none',
        },
      })
      const query = new URLSearchParams({
        client_id: registered.json.client_id,
        response_type: 'code',
        redirect_uri,
        code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
        code_challenge_method: 'S256',
        resource: `${app.config.origin}/api/v1`,
        scope: 'profile.read flight.read.own',
      })
      const page = await open(`/oauth/authorize?${query}`, { viewport: { width: 320, height: 800 } })
      await page.getByText('Logbook <b>Pro</b> wants to connect to your flight log.').waitFor()
      await requireAccessible(page, 'an app waits')
      const other = await open(page.url())
      await heading(other, 'Sign in').waitFor()
      assert.equal(await other.locator('.waits').count(), 0, 'another browser is told nothing')
      await page.getByRole('link', { name: 'Deutsch' }).click()
      await page.getByText('Logbook <b>Pro</b> möchte sich mit deinem Fluglogbuch verbinden.').waitFor()
      await page.getByLabel('Benutzername').fill(username)
      await page.getByLabel('Passwort').fill(PASSWORD)
      await page.getByLabel('Passwort').press('Enter')
      await heading(page, 'Logbook <b>Pro</b> möchte sich verbinden').waitFor()
      await page.getByLabel('Die Flüge sehen, auf denen du bist').waitFor()
      await looksRight(page, 'consent in German')
      await page.goto(`${page.url()}&lang=fr`)
      await page.getByRole('button', { name: 'Autoriser' }).waitFor()
      await requireAccessible(page, 'consent in French')
    })
  },
  { atOrigin: 'localhost' },
  { oidc },
)

journeys(
  'sign-in where only the owner has a password',
  'sqlite',
  ({ journey }) => {
    journey('the form is behind “Owner”, and says why there are no passkeys', async ({ app, open }) => {
      await app.person('owner')
      const page = await open('/sign-in')
      assert.ok(!(await fields(page).name.isVisible()))
      await page.getByText('Passkeys need an https address').waitFor()
      assert.equal(await page.getByText('Sign in with a passkey').count(), 0)
      await looksRight(page, 'passwords off')
      await page.getByText('Owner', { exact: true }).press('Enter')
      await fields(page).name.waitFor()
      await requireAccessible(page, 'owner')
      await tryWrong(page, 'someone')
      await page.getByRole('alert').waitFor()
      assert.ok(await fields(page).name.isVisible(), 'it stays open')
    })
  },
  {},
  { oidc: { ...oidc, passwords: false } },
)

journeys(
  'sign-in that goes on to the provider',
  'sqlite',
  ({ journey }) => {
    journey('unless the form is asked for', async ({ app, open }) => {
      await app.person('owner')
      const reply = await app.request('GET', '/sign-in?next=%2Fflights')
      assert.deepEqual([reply.status, reply.headers.location], [303, '/sign-in/oidc?next=%2Fflights'])
      const page = await open('/sign-in?local=1')
      await heading(page, 'Sign in').waitFor()
      await page.getByRole('link', { name: 'Deutsch' }).click()
      await heading(page, 'Anmelden').waitFor()
    })
  },
  {},
  { oidc: { ...oidc, auto: true } },
)

journeys('sign-in with a password alone', 'sqlite', ({ journey }) => {
  journey('one form, its button first', async (given) => {
    await given.app.person('owner')
    const page = await given.open('/sign-in')
    assert.deepEqual(await waysOn(page), ['username', 'password', 'Sign in'])
    assert.match((await submit(page).getAttribute('class')) ?? '', /\bprimary\b/)
    assert.equal(await page.getByText('or with your password').count(), 0)
    await looksRight(page, 'password alone')
    await onSmallScreens(given, '/sign-in')
  })
})
