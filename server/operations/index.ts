// The registry: everything the application can do, in order of importance. The APIs, the documents and the tests iterate over this list.
import type { Operation } from '../operation.ts'
import { changePassword, deleteMe, updateProfile } from './account.ts'
import { deleteAirlineIcon, setAirlineIcon } from './airline-icons.ts'
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.ts'
import { listEvents, listMyEvents } from './audit.ts'
import { checkBackup, downloadBackup, listBackups, makeBackup } from './backups.ts'
import { readBoardingPass } from './boarding-passes.ts'
import { bulkFlights } from './bulk.ts'
import { listChanges } from './changes.ts'
import { checkLog } from './check-log.ts'
import { getAircraftByCode, getAirlineByCode, getAirportByCode } from './codes.ts'
import { comparePeople } from './compare-people.ts'
import { confirmWithPassword } from './confirm.ts'
import { deleteConnectedApp, listConnectedApps } from './connected-apps.ts'
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
} from './custom-data.ts'
import {
  createCustomField,
  deleteCustomField,
  listAllCustomFields,
  listCustomFields,
  updateCustomField,
} from './custom-fields.ts'
import {
  deleteFlights,
  emptyBin,
  listDeletedFlights,
  restoreFlight,
  restoreFlights,
} from './deleted-flights.ts'
import { loadDemo, removeDemo } from './demo.ts'
import { describeMe } from './describe-me.ts'
import { discovery } from './discovery.ts'
import { editFlight } from './edit-flight.ts'
import { sendEmailVerification, verifyMyEmail } from './email-verification.ts'
import { signOutEverywhere } from './end-access.ts'
import { exportFlights } from './export.ts'
import {
  deleteFlightByExternalId,
  getFlightByExternalId,
  patchFlightByExternalId,
  putFlightByExternalId,
} from './external-ids.ts'
import { readFeed } from './feed-page.ts'
import { createFeed, deleteFeed, getFeed, listFeeds, rotateFeed, updateFeed } from './feeds.ts'
import { findFlights } from './find-flights.ts'
import { getLog, readLocalTime } from './flight-log.ts'
import { flightLookup } from './flight-lookup.ts'
import { createFlight, deleteFlight, getFlight, listFlights, patchFlight, updateFlight } from './flights.ts'
import { getFlightHistory, listHistory } from './history.ts'
import { beginLinking, deleteIdentity, listIdentities } from './identities.ts'
import { deleteImportAnswer, deleteImportAnswers, listImportAnswers } from './import-answers.ts'
import { commitImport, stopImport } from './import-commit.ts'
import { getImportOverview, pickImportRows } from './import-overview.ts'
import { listImportSources } from './import-sources.ts'
import { startImport } from './import-start.ts'
import { undoImport } from './import-undo.ts'
import { updateImport, updateImportRow } from './import-update.ts'
import { deleteImport, getImport, listImportRows, listImports } from './imports.ts'
import { getInstanceHealth, getInstanceSettings, updateInstanceSettings } from './instance.ts'
import { acceptInvitation, createInvitation, deleteInvitationById, listInvitations } from './invitations.ts'
import { listJourneys } from './journeys.ts'
import { getLineData } from './line-data.ts'
import { listPeople } from './list-people.ts'
import { logFlight } from './log-flight.ts'
import { logFlights } from './log-flights.ts'
import { getLogWords } from './log-words.ts'
import { createMailAddress, deleteMailAddress, getMailAddress, updateMailAddress } from './mail-address.ts'
import { addMailbox, checkMailbox, deleteMailbox, listMailboxes } from './mailboxes.ts'
import { requestResetLink } from './mailed-links.ts'
import { getLatestFlight, getNextFlight } from './next-flight.ts'
import { notMe } from './not-me.ts'
import { keepFlight, leaveFlight, listNotices, markNoticeRead, markNoticesRead } from './notices.ts'
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
} from './passkeys.ts'
import { listWaysInOfPeople } from './people-ways-in.ts'
import { getPreferences, updatePreferences } from './preferences.ts'
import { getMe } from './profile.ts'
import {
  getAircraft,
  getAirline,
  getAirport,
  searchAircraft,
  searchAirlines,
  searchAirports,
} from './reference-data.ts'
import { createResetLink, deleteResetLinkOf, useResetLink } from './reset-links.ts'
import { listRoleRules } from './role-rules.ts'
import {
  createRole,
  deleteRole,
  getDefaultRole,
  getRole,
  listAssignableRoles,
  listRoles,
  setDefaultRole,
  updateRole,
} from './roles.ts'
import {
  createRecoveryCodes,
  disableSecondFactor,
  enableSecondFactor,
  getSecondFactor,
  startSecondFactor,
} from './second-factor.ts'
import { signInWithSecondFactor } from './second-step.ts'
import { deleteSession, getSession, listSessions } from './sessions.ts'
import { setUp } from './set-up.ts'
import { describeShare, previewShare, readSharePage } from './share-page.ts'
import { drawShare } from './share-picture.ts'
import { createShare, deleteShare, getShare, listShares, updateShare } from './shares.ts'
import { signIn, signOut } from './sign-in.ts'
import { getStats } from './stats.ts'
import {
  checkSubscription,
  createSubscription,
  deleteSubscription,
  listSubscriptions,
} from './subscriptions.ts'
import { summarizeFlights } from './summarize-flights.ts'
import { deleteFlightTrack, getFlightTrack, setFlightTrack } from './tracks.ts'
import { createTrip, deleteTrip, getTrip, listTrips, updateTrip } from './trips.ts'
import { undo } from './undo.ts'
import { createUser, deleteUser, listUsers, setUserRole, updateUser } from './users.ts'
import {
  listFlownCountries,
  listVisitedCountries,
  removeVisitedCountry,
  setVisitedCountry,
} from './visited-countries.ts'
import { getAccount } from './ways-in.ts'
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
} from './webhooks.ts'

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
