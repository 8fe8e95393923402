/** Requests about imports. */

import { client, dataOf } from '../api/client.ts'
import type { ImportPatch, RowChoice } from './types.ts'

const byId = (id: number) => ({ params: { path: { id } } })

/** A file as it is, whatever it holds: the server finds out. */
export function startImport(file: Blob, filename: string) {
  const timezoneHint = Intl.DateTimeFormat().resolvedOptions().timeZone
  return dataOf(
    client.POST('/imports', {
      params: { query: { filename: filename.slice(0, 1000), ...(timezoneHint && { timezoneHint }) } },
      headers: { 'content-type': 'application/octet-stream' },
      body: file as never,
      bodySerializer: (body: unknown) => body as Blob,
    }),
  )
}

export const getImport = (id: number, signal: AbortSignal) =>
  dataOf(client.GET('/imports/{id}', { ...byId(id), signal }))
export const listImports = (signal: AbortSignal) =>
  dataOf(client.GET('/imports', { params: { query: { limit: 100 } }, signal }))
export const getOverview = (id: number, signal: AbortSignal) =>
  dataOf(client.GET('/imports/{id}/overview', { ...byId(id), signal }))
export const listRows = (id: number, numbers: readonly number[]) =>
  dataOf(
    client.GET('/imports/{id}/picked-rows', {
      params: { path: { id }, query: { rows: numbers.join(',') } },
    }),
  )
export const updateImport = (id: number, body: ImportPatch) =>
  dataOf(client.PATCH('/imports/{id}', { ...byId(id), body }))
export async function updateRow(id: number, row: number, body: RowChoice) {
  const { data } = await client.PATCH('/imports/{id}/rows/{row}', { params: { path: { id, row } }, body })
  return data!.import
}
export const commitImport = (id: number) => dataOf(client.POST('/imports/{id}/commit', byId(id)))
export const undoImport = (id: number, includeEdited: boolean) =>
  dataOf(client.POST('/imports/{id}/undo', { ...byId(id), body: { includeEdited } }))
/** What is written stays. */
export const stopImport = (id: number) => dataOf(client.POST('/imports/{id}/stop', byId(id)))
export const deleteImport = (id: number) => client.DELETE('/imports/{id}', byId(id))
export const listSources = (language: string) =>
  dataOf(client.GET('/import-sources', { headers: { 'accept-language': language } }))
export const listAnswers = (signal: AbortSignal) => dataOf(client.GET('/import-answers', { signal }))
export const forgetAnswer = (id: number) => client.DELETE('/import-answers/{id}', byId(id))
