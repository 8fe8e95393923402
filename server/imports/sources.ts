// Every source that is read, in the order in which they are asked whether a file is theirs.
import type { SourceId } from '../domain/imports.ts'
import { airtrail, airtrailCsv } from './readers/airtrail.ts'
import { aita } from './readers/aita.ts'
import { bcbp } from './readers/boarding-pass.ts'
import { byair } from './readers/byair.ts'
import { contrail } from './readers/contrail.ts'
import { drafts } from './readers/drafts.ts'
import { email } from './readers/email.ts'
import { flightmemory } from './readers/flightmemory.ts'
import { flighty } from './readers/flighty.ts'
import { foreflight } from './readers/foreflight.ts'
import { fr24 } from './readers/fr24.ts'
import { genericCsv, genericJson, genericXlsx } from './readers/generic.ts'
import { google } from './readers/google.ts'
import { ics } from './readers/ics.ts'
import { jetlog } from './readers/jetlog.ts'
import { jetlovers } from './readers/jetlovers.ts'
import { logten } from './readers/logten.ts'
import { milesandmore } from './readers/milesandmore.ts'
import { myflightbook } from './readers/myflightbook.ts'
import { openflights } from './readers/openflights.ts'
import { pdf } from './readers/pdf.ts'
import { pkpass } from './readers/pkpass.ts'
import { track } from './readers/track.ts'
import { tripit, tripitIcs } from './readers/tripit.ts'
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
  // Every table is one of these: last.
  genericCsv,
  genericXlsx,
  genericJson,
]

export const sourceNamed = (id: SourceId): Source | undefined => sources.find((source) => source.id === id)
