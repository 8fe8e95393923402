// The figures are computed by the same functions here and on the server, which sends them to a share's visitors.
export * from '../../../server/domain/figures.ts'
