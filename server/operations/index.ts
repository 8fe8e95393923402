// The registry: all operations, most important first. The APIs, the documents and the tests iterate over this list.
import type { Operation } from '../door/operation.ts'
import { createApiKey, deleteApiKey, listApiKeys } from './access/api-keys.ts'
import { listEvents, listMyEvents } from './access/audit.ts'
import { deleteConnectedApp, listConnectedApps } from './access/connected-apps.ts'
import { changePassword, deleteMe, updateProfile } from './accounts/account.ts'
import { confirmWithPassword } from './accounts/confirm.ts'
import { sendEmailVerification, verifyMyEmail } from './accounts/email-verification.ts'
import { signOutEverywhere } from './accounts/end-access.ts'
import { beginLinking, deleteIdentity, listIdentities } from './accounts/identities.ts'
import {
  acceptInvitation,
  createInvitation,
  deleteInvitationById,
  listInvitations,
} from './accounts/invitations.ts'
import { requestResetLink } from './accounts/mailed-links.ts'
import { notMe } from './accounts/not-me.ts'
import {
  addPasskey,
  confirmWithPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  startPasskey,
  startPasskeyConfirmation,
  startPasskeySignIn,
} from './accounts/passkeys.ts'
import { createResetLink, deleteResetLinkOf, useResetLink } from './accounts/reset-links.ts'
import {
  createRecoveryCodes,
  disableSecondFactor,
  enableSecondFactor,
  getSecondFactor,
  startSecondFactor,
} from './accounts/second-factor.ts'
import { signInWithSecondFactor } from './accounts/second-step.ts'
import { deleteSession, getSession, listSessions } from './accounts/sessions.ts'
import { setUp } from './accounts/set-up.ts'
import { signIn, signOut } from './accounts/sign-in.ts'
import { createUser, deleteUser, listUsers, setUserRole, updateUser } from './accounts/users.ts'
import { getAccount } from './accounts/ways-in.ts'
import { listWaysInOfPeople } from './accounts/ways-in-of-people.ts'
import { editFlight } from './entry/edit/edit.ts'
import { getLineData } from './entry/line-data.ts'
import { logFlight } from './entry/log.ts'
import { logFlights } from './entry/log-many.ts'
import { flightLookup } from './entry/lookup.ts'
import { bulkFlights } from './flights/bulk/bulk.ts'
import {
  deleteFlightByExternalId,
  getFlightByExternalId,
  patchFlightByExternalId,
  putFlightByExternalId,
} from './flights/by-external-id.ts'
import { checkLog } from './flights/check-log.ts'
import {
  createCustomField,
  deleteCustomField,
  listAllCustomFields,
  listCustomFields,
  updateCustomField,
} from './flights/custom-fields.ts'
import { getLog, readLocalTime } from './flights/find/compact-log.ts'
import { findFlights } from './flights/find/find.ts'
import { getLogWords } from './flights/find/search-words.ts'
import {
  createFlight,
  deleteFlight,
  getFlight,
  listFlights,
  patchFlight,
  updateFlight,
} from './flights/flights.ts'
import { getLatestFlight, getNextFlight } from './flights/next.ts'
import { deleteFlightTrack, getFlightTrack, setFlightTrack } from './flights/tracks.ts'
import { deleteFlights, emptyBin, listDeletedFlights, restoreFlight, restoreFlights } from './history/bin.ts'
import { listChanges } from './history/feed.ts'
import { getFlightHistory, listHistory } from './history/history.ts'
import { undo } from './history/undo/undo.ts'
import { deleteImportAnswer, deleteImportAnswers, listImportAnswers } from './imports/answers.ts'
import { readBoardingPass } from './imports/boarding-passes.ts'
import { commitImport, stopImport } from './imports/commit.ts'
import { deleteImport, getImport, listImportRows, listImports } from './imports/imports.ts'
import { getImportOverview, pickImportRows } from './imports/overview.ts'
import { listImportSources } from './imports/sources.ts'
import { startImport } from './imports/start.ts'
import { undoImport } from './imports/undo.ts'
import { updateImport, updateImportRow } from './imports/update.ts'
import { checkBackup, downloadBackup, listBackups, makeBackup } from './instance/backups.ts'
import { loadDemo, removeDemo } from './instance/demo.ts'
import { discovery } from './instance/discovery.ts'
import { getInstanceHealth, getInstanceSettings, updateInstanceSettings } from './instance/instance.ts'
import {
  createMailAddress,
  deleteMailAddress,
  getMailAddress,
  updateMailAddress,
} from './intake/mail-address.ts'
import { addMailbox, checkMailbox, deleteMailbox, listMailboxes } from './intake/mailboxes.ts'
import {
  checkSubscription,
  createSubscription,
  deleteSubscription,
  listSubscriptions,
} from './intake/subscriptions.ts'
import { describeMe } from './people/describe-me.ts'
import { listPeople } from './people/known.ts'
import { keepFlight, leaveFlight, listNotices, markNoticeRead, markNoticesRead } from './people/notices.ts'
import { getPreferences, updatePreferences } from './people/preferences.ts'
import { getMe } from './people/profile.ts'
import { listRoleRules } from './people/role-rules.ts'
import {
  createRole,
  deleteRole,
  getDefaultRole,
  getRole,
  listAssignableRoles,
  listRoles,
  setDefaultRole,
  updateRole,
} from './people/roles.ts'
import {
  createPushSubscription,
  deletePushSubscription,
  getPushKey,
  listPushSubscriptions,
  testPushSubscription,
} from './push/devices.ts'
import {
  confirmNotificationMail,
  deleteNotificationMail,
  getNotificationMail,
  requestNotificationMail,
} from './push/mail.ts'
import { getNotificationSettings, updateNotificationSettings } from './push/settings.ts'
import { deleteAirlineIcon, setAirlineIcon } from './reference/airline-icons.ts'
import { getAircraftByCode, getAirlineByCode, getAirportByCode } from './reference/codes.ts'
import {
  createAircraft,
  createAirline,
  createAirport,
  deleteAircraft,
  deleteAirline,
  deleteAirport,
  listCustomAircraft,
  listCustomAirlines,
  listCustomAirports,
  updateAircraft,
  updateAirline,
  updateAirport,
} from './reference/custom-records.ts'
import {
  getAircraft,
  getAirline,
  getAirport,
  searchAircraft,
  searchAirlines,
  searchAirports,
} from './reference/records.ts'
import { exportFlights } from './sharing/export.ts'
import { readFeed } from './sharing/feed-page.ts'
import { createFeed, deleteFeed, getFeed, listFeeds, rotateFeed, updateFeed } from './sharing/feeds.ts'
import { describeShare, previewShare, readSharePage } from './sharing/page.ts'
import { drawShare } from './sharing/picture.ts'
import { createShare, deleteShare, getShare, listShares, updateShare } from './sharing/shares.ts'
import { comparePeople } from './statistics/compare.ts'
import { getStats } from './statistics/stats.ts'
import { summarizeFlights } from './statistics/summarize.ts'
import {
  listFlownCountries,
  listVisitedCountries,
  removeVisitedCountry,
  setVisitedCountry,
} from './statistics/visited-countries.ts'
import { forgetPass, getKeptPass, keepPass } from './status/kept-pass.ts'
import { getTravelDay } from './status/travel-day.ts'
import { listJourneys } from './trips/journeys.ts'
import { createTrip, deleteTrip, getTrip, listTrips, updateTrip } from './trips/trips.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  pingWebhook,
  retryDelivery,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks/webhooks.ts'

export const operations: readonly Operation[] = [
  discovery,
  getMe,
  describeMe,
  listFlights,
  createFlight,
  getFlight,
  updateFlight,
  patchFlight,
  deleteFlight,
  getFlightByExternalId,
  putFlightByExternalId,
  patchFlightByExternalId,
  deleteFlightByExternalId,
  bulkFlights,
  listDeletedFlights,
  restoreFlight,
  getFlightTrack,
  setFlightTrack,
  deleteFlightTrack,
  findFlights,
  summarizeFlights,
  comparePeople,
  getNextFlight,
  flightLookup,
  getLatestFlight,
  getTravelDay,
  getKeptPass,
  keepPass,
  forgetPass,
  logFlight,
  editFlight,
  logFlights,
  exportFlights,
  startImport,
  listImports,
  getImport,
  listImportRows,
  getImportOverview,
  pickImportRows,
  updateImport,
  updateImportRow,
  commitImport,
  undoImport,
  stopImport,
  deleteImport,
  readBoardingPass,
  listImportSources,
  listSubscriptions,
  createSubscription,
  checkSubscription,
  deleteSubscription,
  listHistory,
  undo,
  getFlightHistory,
  listChanges,
  checkLog,
  getStats,
  listJourneys,
  listPeople,
  searchAirports,
  getAirport,
  getAirportByCode,
  searchAirlines,
  getAirline,
  getAirlineByCode,
  searchAircraft,
  getAircraft,
  getAircraftByCode,
  listCustomFields,
  createCustomField,
  listUsers,
  listRoles,
  createRole,
  getRole,
  updateRole,
  deleteRole,
  getPreferences,
  updatePreferences,
  listVisitedCountries,
  setVisitedCountry,
  removeVisitedCountry,
  listTrips,
  createTrip,
  getTrip,
  updateTrip,
  deleteTrip,
  listShares,
  createShare,
  getShare,
  updateShare,
  deleteShare,
  listFeeds,
  createFeed,
  getFeed,
  updateFeed,
  rotateFeed,
  deleteFeed,
  getNotificationSettings,
  updateNotificationSettings,
  getPushKey,
  listPushSubscriptions,
  createPushSubscription,
  deletePushSubscription,
  testPushSubscription,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  pingWebhook,
  listDeliveries,
  retryDelivery,
  // The web app's own
  getLog,
  getLogWords,
  getLineData,
  previewShare,
  readLocalTime,
  deleteFlights,
  restoreFlights,
  emptyBin,
  listImportAnswers,
  deleteImportAnswer,
  deleteImportAnswers,
  listMailboxes,
  addMailbox,
  checkMailbox,
  deleteMailbox,
  getMailAddress,
  createMailAddress,
  updateMailAddress,
  deleteMailAddress,
  listNotices,
  markNoticeRead,
  markNoticesRead,
  keepFlight,
  leaveFlight,
  notMe,
  getNotificationMail,
  requestNotificationMail,
  confirmNotificationMail,
  deleteNotificationMail,
  loadDemo,
  removeDemo,
  listFlownCountries,
  listAllCustomFields,
  updateCustomField,
  deleteCustomField,
  getSession,
  setUp,
  signIn,
  signInWithSecondFactor,
  signOut,
  signOutEverywhere,
  updateProfile,
  sendEmailVerification,
  verifyMyEmail,
  getAccount,
  confirmWithPassword,
  listPasskeys,
  startPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  startPasskeySignIn,
  signInWithPasskey,
  startPasskeyConfirmation,
  confirmWithPasskey,
  getSecondFactor,
  startSecondFactor,
  enableSecondFactor,
  createRecoveryCodes,
  disableSecondFactor,
  listIdentities,
  beginLinking,
  deleteIdentity,
  changePassword,
  deleteMe,
  listApiKeys,
  createApiKey,
  deleteApiKey,
  listSessions,
  deleteSession,
  listConnectedApps,
  deleteConnectedApp,
  listEvents,
  listMyEvents,
  createUser,
  updateUser,
  setUserRole,
  deleteUser,
  listWaysInOfPeople,
  listInvitations,
  createInvitation,
  deleteInvitationById,
  acceptInvitation,
  createResetLink,
  deleteResetLinkOf,
  useResetLink,
  requestResetLink,
  listAssignableRoles,
  getDefaultRole,
  setDefaultRole,
  listRoleRules,
  listBackups,
  makeBackup,
  checkBackup,
  downloadBackup,
  getInstanceHealth,
  getInstanceSettings,
  updateInstanceSettings,
  listCustomAirports,
  createAirport,
  updateAirport,
  deleteAirport,
  listCustomAirlines,
  createAirline,
  updateAirline,
  deleteAirline,
  setAirlineIcon,
  deleteAirlineIcon,
  listCustomAircraft,
  createAircraft,
  updateAircraft,
  deleteAircraft,
  // Public pages
  describeShare,
  readSharePage,
  drawShare,
  readFeed,
]
