/** Well-known lengths to compare a distance with. */
export const EARTH_KM = 40_075.017
export const MOON_KM = 384_400
