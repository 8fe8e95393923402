// Imports on behalf of a person: from the command line, the watch folder, and mails and calendars that are read
// automatically. They go through the same door as the person's own imports, with the permissions of the person's role.
import { setTimeout } from 'node:timers/promises'
import type * as z from 'zod'
import type { SourceId } from '../../domain/imports/imports.ts'
import { open, type RawInput } from '../../door/open.ts'
import type { Operation } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { everyScope, type Principal, principalFrom } from '../../services/access/principal.ts'
import { findCallerByPerson } from '../../store/access/callers.ts'
import { commitImport } from './commit.ts'
import { deleteImport, getImport, listImportRows } from './imports.ts'
import type { ImportView, RowView } from './schema.ts'
import { startImport } from './start.ts'
import { isBeingWorkedOn } from './view.ts'

interface GivenFile {
  filename: string
  bytes: Uint8Array
  source?: SourceId | undefined
}

const LOOK_EVERY_MS = 50
const ROWS_AT_ONCE = 100

export interface PersonImports {
  /** Reads the file and returns when every record has a verdict. Does not change the log. */
  read(file: GivenFile): Promise<ImportView & { repeated: boolean }>
  /** Commits everything that is new or accepted, or only these rows. Returns when it is done. */
  commit(id: number, rows?: readonly number[]): Promise<ImportView>
  /** Deletes the import; its flights stay. */
  delete(id: number): Promise<void>
  listRows(id: number): Promise<RowView[]>
}

/** The person must exist. */
export function importsFor(services: Services, userId: string): PersonImports {
  // Read for each import: the role may change while a folder is watched.
  async function principalOf(): Promise<Principal> {
    const caller = await findCallerByPerson(services.store.read, { userId })
    if (!caller) throw new Error('the person was deleted')
    return principalFrom(caller, { kind: 'session', credentialId: 'operator', scopes: everyScope })
  }

  async function settled(id: number): Promise<ImportView> {
    const params = { id: String(id) }
    for (;;) {
      const { data } = await call(getImport, { params })
      if (!isBeingWorkedOn(data)) return data
      await setTimeout(LOOK_EVERY_MS)
    }
  }

  const call = async <Op extends Operation>(op: Op, raw: RawInput) =>
    (await open(op, services, await principalOf(), raw)).value()

  return {
    async read({ filename, bytes, source }) {
      const query = { filename, ...(source === undefined ? {} : { source }) }
      const { data } = await call(startImport, { query, file: bytes })
      return { ...(await settled(data.id)), repeated: data.repeated }
    },
    async commit(id, rows) {
      await call(commitImport, { params: { id: String(id) }, body: rows ? { rows } : {} })
      return settled(id)
    },
    async delete(id) {
      await call(deleteImport, { params: { id: String(id) } })
    },
    async listRows(id) {
      const rows: RowView[] = []
      let cursor: string | null = null
      do {
        const query: Record<string, string> = {
          limit: String(ROWS_AT_ONCE),
          ...(cursor === null ? {} : { cursor }),
        }
        const page: z.output<typeof listImportRows.output> = await call(listImportRows, {
          params: { id: String(id) },
          query,
        })
        rows.push(...page.data)
        cursor = page.page.nextCursor
      } while (cursor !== null)
      return rows
    },
  }
}
