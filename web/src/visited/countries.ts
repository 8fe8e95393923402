// Additions to the land file. Country names come from the browser (Intl.DisplayNames) in every language.

/** Countries without a polygon in the land file: longitude and latitude of their dot. */
export const dots: Record<string, [number, number]> = {
  BV: [3.4, -54.4],
  CC: [96.8, -12.2],
  CX: [105.6, -10.5],
  GI: [-5.35, 36.1],
  TK: [-171.8, -9.2],
  TV: [179.2, -8.5],
  UM: [166.6, 19.3],
}
