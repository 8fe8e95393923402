// The texts of the authorization server’s pages.
import { type Scope, scopeDescription, scopes } from '../../domain/access/access.ts'
import type { Language } from '../../domain/languages.ts'
import { translated } from '../../domain/translated.ts'

export const consentTexts = await translated(
  {
    title: 'Allow access',
    /** Follows the name of the app. */
    wants: 'wants to connect',
    lead: 'You are signed in as {name}. Choose what this app may do with your flight log.',
    requests: 'It requests permission to',
    requestsNothing: 'The app does not request anything specific. Choose below what it may do.',
    more: 'Allow more than it requests',
    leftOut: 'Left out, because your role does not permit it: {permissions}.',
    deny: 'Deny',
    approve: 'Approve',
    ends: 'You can end this access at any time in Settings under Connected apps.',
    identifiedBy: 'App identified by',
    redirectsTo: 'Redirects to',
    accessTo: 'Gives access to',
    thisServer: 'This server',
    runsHere: 'This app runs on your own computer.',
    couldBeAny:
      'Any program there could call itself “{app}”. Approve only if you just started this connection yourself.',
    connected: 'This app is already connected.',
    newOnes: 'Additional permissions are marked “new”.',
    noneNew: 'It requests nothing new.',
    replaces: 'Your choice here replaces the earlier one.',
    isNew: 'new',
    read: 'read',
    write: 'write',
    areas: {
      ownFlights: 'Your flights',
      allFlights: 'All users’ flights',
      statistics: 'Statistics and tracks',
      countries: 'Visited countries',
      shares: 'Public links',
      profile: 'Profile and preferences',
      reference: 'Reference data',
      people: 'People and roles',
    },
    cannotConnect: 'This app cannot connect',
    /** Precedes the error of the app, which is in English for its developers. */
    appFault: '',
    returnTo: 'Return to {host}',
    returnHint: 'No user of this server has approved the app. Return to it only if you came from there.',
    notSignedIn: 'You are not signed in',
    notSignedInText: 'Sign in, then start again in the app.',
    expired: 'This request has expired',
    expiredText:
      'It has already been answered, took too long, or belongs to another browser or user. Start again in the app.',
    /** In the other languages as in the settings of the web app. */
    scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeDescription(scope)])) as Record<
      Scope,
      string
    >,
  },
  import.meta.url,
)

export type ConsentTexts = (typeof consentTexts)['en']

export const appFaultIn = (language: Language, { message }: { message: string }): string =>
  `${consentTexts[language].appFault} ${message}`.trim()
