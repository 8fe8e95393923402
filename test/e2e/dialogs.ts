// Every component that shows a dialog. One with a text field has a way to open it; test/dialogs.test.ts finds missing ones.
import type { Page } from 'playwright-core'
import { openLinkOptions, type Subjects } from './screens.ts'

export interface DialogEntry {
  component: string
  path: string
  /** The owner unless given. */
  as?: 'newcomer'
  open: (page: Page) => Promise<void>
  /** The field to type into, by selector. */
  field: string
  /** Cannot be lost: typed text is applied without saving. */
  isLive?: true
  /** A password, code or private address, which is never stored. */
  isSecret?: true
}

/** Dialogs without a text field: only a choice can be lost. */
export const textless = [
  'flights/form/FillIn.svelte',
  'history/UndoSince.svelte',
  'imports/Sources.svelte',
  'imports/Undo.svelte',
  'queue/SignOutDialog.svelte',
  'imports/scan/ScanPage.svelte',
  'settings/admin/InviteDialog.svelte',
  'settings/admin/LinkDialog.svelte',
  'settings/admin/ResetLinkDialog.svelte',
  'settings/data/IconDialog.svelte',
  'settings/integrations/SecretDialog.svelte',
  'lib/kit/Confirm.svelte',
  'lib/kit/FormDialog.svelte',
  'settings/security/RecoveryCodes.svelte',
  'screen/PeopleSwitch.svelte',
  'shell/Shortcuts.svelte',
  'stats/Explain.svelte',
  'stats/StatsPage.svelte',
  'share/links/SubjectLinks.svelte',
]

/** Dialogs over another one, which separate journeys in dialogs.test.ts open. */
export const interrupting = ['shell/ConfirmIdentity.svelte', 'shell/SignInAgain.svelte']

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const addOfKind = (kind: string, name: string) => async (page: Page) => {
  await page.getByText(kind, { exact: true }).click()
  await press(name)(page)
}

async function openRow(page: Page): Promise<void> {
  await page.locator('[data-index="0"]').press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Edit before importing' }).click()
}

async function openPoster(page: Page): Promise<void> {
  await press('Export')(page)
  await page.getByRole('menuitem', { name: /^Poster/ }).click()
}

export const dialogs = ({ importId }: Subjects & { importId: number }): DialogEntry[] => [
  {
    component: 'log/FilterPanel.svelte',
    path: '/flights',
    open: press(/^Filter/),
    field: '[role=combobox]',
    isLive: true,
  },
  {
    component: 'imports/rows/RowDialog.svelte',
    path: `/import/${importId}`,
    open: openRow,
    field: 'textarea',
  },
  {
    component: 'map/poster/PosterDialog.svelte',
    path: '/?time=years',
    open: openPoster,
    field: '[maxlength]',
  },
  {
    component: 'notices/NotMe.svelte',
    path: '/notices',
    open: press('That was not me'),
    field: '[data-field=newPassword]',
    isSecret: true,
  },
  {
    component: 'settings/admin/RoleDialog.svelte',
    path: '/settings/roles',
    open: press('New role'),
    field: '[data-field=name]',
  },
  {
    component: 'settings/admin/UserDialog.svelte',
    path: '/settings/users',
    open: press('Add person'),
    field: '[data-field=displayName]',
  },
  {
    component: 'settings/data/AirportDialog.svelte',
    path: '/settings/data',
    open: press('Add airport'),
    field: '[data-field=latitude]',
  },
  {
    component: 'settings/data/AirlineDialog.svelte',
    path: '/settings/data',
    open: addOfKind('Airlines', 'Add airline'),
    field: '[data-field=name]',
  },
  {
    component: 'settings/data/AircraftDialog.svelte',
    path: '/settings/data',
    open: addOfKind('Aircraft types', 'Add aircraft type'),
    field: '[data-field=name]',
  },
  {
    component: 'settings/data/FieldDialog.svelte',
    path: '/settings/fields',
    open: press('New field'),
    field: '[data-field=label]',
  },
  {
    component: 'share/links/LinkDialog.svelte',
    path: '/settings/shares',
    open: openLinkOptions,
    field: '[data-field=slug]',
  },
  {
    component: 'settings/intake/MailboxDialog.svelte',
    path: '/settings/imports',
    open: press('Add a mailbox'),
    field: '[data-field=host]',
  },
  {
    component: 'settings/intake/SubscriptionDialog.svelte',
    path: '/settings/imports',
    open: press('Add a calendar'),
    field: '[data-field=url]',
    isSecret: true,
  },
  {
    component: 'settings/integrations/FeedDialog.svelte',
    path: '/settings/integrations',
    open: press('New feed'),
    field: '[data-field=name]',
  },
  {
    component: 'settings/integrations/WebhookDialog.svelte',
    path: '/settings/integrations',
    open: press('New webhook'),
    field: '[data-field=description]',
  },
  {
    component: 'settings/security/KeyDialog.svelte',
    path: '/settings/keys',
    open: press('New API key'),
    field: '[data-field=name]',
  },
  {
    component: 'settings/security/PasskeyNameDialog.svelte',
    path: '/settings/security',
    open: press('Rename Old phone'),
    field: '[data-field=name]',
  },
  {
    component: 'settings/security/SecondFactorDialog.svelte',
    path: '/settings/security',
    open: press(/^Set up$/),
    field: '[data-field=code]',
    isSecret: true,
  },
  {
    component: 'settings/you/DeleteAccount.svelte',
    path: '/settings/profile',
    as: 'newcomer',
    open: press('Delete account…'),
    field: '[data-field=password]',
    isSecret: true,
  },
  {
    component: 'trips/AddFlights.svelte',
    path: '/trips/1',
    open: press('Add flights'),
    field: '[type=search]',
    isLive: true,
  },
  {
    component: 'trips/TripDialog.svelte',
    path: '/trips?new=',
    open: async () => {},
    field: '[data-field=note]',
  },
  {
    component: 'visited/CountryDialog.svelte',
    path: '/countries',
    open: press(/^Japan/),
    field: '[data-field=note]',
  },
]
