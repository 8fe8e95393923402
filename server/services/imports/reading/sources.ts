// All sources, in the order in which they are checked for a match.
import type { SourceId } from '../../../domain/imports/imports.ts'
import { ics } from '../readers/calendars/ics.ts'
import { airtrail, airtrailCsv } from '../readers/documents/airtrail.ts'
import { aita } from '../readers/documents/aita.ts'
import { contrail } from '../readers/documents/contrail.ts'
import { drafts } from '../readers/documents/drafts.ts'
import { email } from '../readers/documents/email.ts'
import { google } from '../readers/documents/google.ts'
import { tripit, tripitIcs } from '../readers/documents/tripit.ts'
import { bcbp } from '../readers/passes/boarding-pass.ts'
import { pdf } from '../readers/passes/pdf.ts'
import { pkpass } from '../readers/passes/pkpass.ts'
import { byair } from '../readers/tables/byair.ts'
import { flightmemory } from '../readers/tables/flightmemory.ts'
import { flighty } from '../readers/tables/flighty.ts'
import { foreflight } from '../readers/tables/foreflight.ts'
import { fr24 } from '../readers/tables/fr24.ts'
import { genericCsv, genericJson, genericXlsx } from '../readers/tables/generic.ts'
import { jetlog } from '../readers/tables/jetlog.ts'
import { jetlovers } from '../readers/tables/jetlovers.ts'
import { logten } from '../readers/tables/logten.ts'
import { milesandmore } from '../readers/tables/milesandmore.ts'
import { myflightbook } from '../readers/tables/myflightbook.ts'
import { openflights } from '../readers/tables/openflights.ts'
import { track } from '../readers/tracks/track.ts'
import type { Source } from './source.ts'

export const sources: readonly Source[] = [
  foreflight,
  fr24,
  flighty,
  aita,
  byair,
  jetlog,
  jetlovers,
  openflights,
  milesandmore,
  myflightbook,
  logten,
  flightmemory,
  tripit,
  tripitIcs,
  google,
  track,
  contrail,
  airtrail,
  airtrailCsv,
  drafts,
  email,
  ics,
  pkpass,
  pdf,
  bcbp,
  // These match every table, so they come last.
  genericCsv,
  genericXlsx,
  genericJson,
]

export const sourceNamed = (id: SourceId): Source | undefined => sources.find((source) => source.id === id)
