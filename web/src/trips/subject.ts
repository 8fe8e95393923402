/** What a link is about. */
export interface ShareSubject {
  kind: 'flight' | 'trip'
  id: number
}
