// Strict third-party client libraries run the whole flow.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { onBothEngines } from '../harness.ts'
import { Browser, filled, formIn, REDIRECT_URI } from './browser.ts'

onBothEngines(
  'strict OAuth clients',
  (app) => {
    test('oauth4webapi passes discovery, registration, PKCE, consent, refresh and revocation', async () => {
      const { origin } = app().config
      const insecure = { [oauth.allowInsecureRequests]: true } as const
      const resource = `${origin}/api/v1`
      const resourceReply = await oauth.resourceDiscoveryRequest(new URL(resource), insecure)
      const protectedResource = await oauth.processResourceDiscoveryResponse(new URL(resource), resourceReply)
      assert.deepEqual(protectedResource.authorization_servers, [origin])

      const issuer = new URL(protectedResource.authorization_servers![0]!)
      const server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }),
      )
      const registered = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(
          server,
          { client_name: 'oauth4webapi', redirect_uris: [REDIRECT_URI] },
          insecure,
        ),
      )
      const client = { client_id: registered.client_id }
      const verifier = oauth.generateRandomCodeVerifier()
      const url = new URL(server.authorization_endpoint!)
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: REDIRECT_URI,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        resource,
        scope: 'profile.read',
        state: 'abc',
      }).toString()
      const person = await app().person()
      const browser = new Browser(app(), await person.session())
      const form = formIn(await browser.follow(url.pathname + url.search))
      const decided = await browser.post(form.action, filled(form, { decision: 'approve' }))

      // Checks `state` and, because the server announces it, `iss`.
      const callback = oauth.validateAuthResponse(server, client, new URL(decided.headers.location!), 'abc')
      const tokens = await oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(
          server,
          client,
          oauth.None(),
          callback,
          REDIRECT_URI,
          verifier,
          {
            ...insecure,
            additionalParameters: { resource },
          },
        ),
      )
      assert.equal(tokens.scope, 'profile.read')
      assert.equal(tokens.expires_in, 3600)
      const me = await oauth.protectedResourceRequest(
        tokens.access_token,
        'GET',
        new URL(`${resource}/me`),
        undefined,
        undefined,
        insecure,
      )
      const profile = (await me.json()) as { data: { id: string; credential: unknown } }
      assert.equal(profile.data.id, person.id)
      assert.deepEqual(profile.data.credential, { kind: 'oauth', scopes: ['profile.read'] })

      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token!, {
          ...insecure,
          additionalParameters: { resource },
        }),
      )
      assert.notEqual(refreshed.refresh_token, tokens.refresh_token)
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, oauth.None(), refreshed.refresh_token!, insecure),
      )
      await assert.rejects(
        oauth.protectedResourceRequest(
          refreshed.access_token,
          'GET',
          new URL(`${resource}/me`),
          undefined,
          undefined,
          insecure,
        ),
        (error: oauth.WWWAuthenticateChallengeError) =>
          error.cause[0]!.scheme === 'bearer' && error.cause[0]!.parameters['error'] === 'invalid_token',
      )
    })

    for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
      test(`openid-client completes the flow as a confidential client with ${method} and a sign-in`, async () => {
        const { origin } = app().config
        const resource = `${origin}/api/mcp`
        const config = await openid.dynamicClientRegistration(
          new URL(origin),
          { client_name: 'openid-client', redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: method },
          undefined,
          { execute: [openid.allowInsecureRequests], algorithm: 'oauth2' },
        )
        const verifier = openid.randomPKCECodeVerifier()
        const url = openid.buildAuthorizationUrl(config, {
          redirect_uri: REDIRECT_URI,
          code_challenge: await openid.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          resource,
        })
        const owner = { username: 'ada', displayName: 'Ada L', password: 'correct horse' }
        const setUp = { headers: { origin }, body: owner }
        if (method === 'client_secret_basic') {
          assert.equal((await app().request('POST', '/app/api/setup', setUp)).status, 204)
        }
        const browser = new Browser(app())
        const signIn = formIn(await browser.follow(url.pathname + url.search))
        assert.equal(signIn.action, '/sign-in')
        const signedIn = await browser.post(
          '/sign-in',
          filled(signIn, { username: 'ada', password: owner.password }),
        )
        assert.equal(signedIn.status, 303)
        const consent = formIn(await browser.follow(signedIn.headers.location!))
        const decided = await browser.post(consent.action, filled(consent, { decision: 'approve' }))

        const tokens = await openid.authorizationCodeGrant(
          config,
          new URL(decided.headers.location!),
          { pkceCodeVerifier: verifier },
          { resource },
        )
        assert.equal(tokens.scope?.split(' ').length, 8, 'the defaults of MCP')
        const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token!, { resource })
        assert.ok(refreshed.access_token)
        await openid.tokenRevocation(config, refreshed.access_token)
      })
    }
  },
  {},
  { atOrigin: true },
)
