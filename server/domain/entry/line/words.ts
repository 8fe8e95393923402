// Words of a line that are neither codes nor names, in the languages of the app. All are folded with `plain`.
import type { FlightReason, Seat, SeatClass } from '../../enums.ts'

const entries = <Value>(groups: readonly (readonly [Value, string])[]): Map<string, Value> =>
  new Map(groups.flatMap(([value, words]) => words.split('|').map((word): [string, Value] => [word, value])))

/** Starting with one. */
export const numerals: readonly string[] = [
  'one ein un une uno una',
  'two zwei deux dos due',
  'three drei trois tres tre',
  'four vier quatre cuatro quattro',
  'five funf fuenf cinq cinco cinque',
  'six sechs seis sei',
  'seven sieben sept siete sette',
  'eight acht huit ocho otto',
  'nine neun neuf nueve nove',
  'ten zehn dix diez dieci',
  'eleven elf onze once undici',
  'twelve zwolf zwoelf douze doce dodici',
]

export const seatClassWords: ReadonlyMap<string, SeatClass> = entries<SeatClass>([
  [
    'economy',
    'economy|economy class|eco|eco class|coach|economyclass|touristenklasse|holzklasse|classe economique|economique|classe eco|en eco|turista|clase turista|clase economica|en turista|economica|classe economica|classe turistica|in economy',
  ],
  [
    'economy+',
    'premium economy|premium economy class|premium eco|economy plus|economy+|eco+|eco plus|comfort+|comfort plus|premium economique|economique premium|turista premium|premium economica|economica premium',
  ],
  [
    'business',
    'business|business class|businessclass|businessklasse|business klasse|biz|biz class|business-class|affaires|classe affaires|en affaires|clase business|clase ejecutiva|ejecutiva|clase de negocios|en business|classe business|in business',
  ],
  [
    'first',
    'first|first class|firstclass|erste klasse|1. klasse|first-class|1st class|premiere|premiere classe|1ere classe|en premiere|primera|primera clase|en primera|prima classe|in prima classe',
  ],
  [
    'private',
    'private jet|privatjet|jet prive|private class|charter jet|jet privado|avion privado|vuelo privado|jet privato|aereo privato|volo privato',
  ],
])

export const seatWords: ReadonlyMap<string, Seat> = entries<Seat>([
  [
    'window',
    'window|window seat|fenster|fensterplatz|am fenster|fenstersitz|at the window|by the window|hublot|cote hublot|siege hublot|au hublot|place hublot|ventanilla|en ventanilla|asiento de ventanilla|lado ventanilla|finestrino|al finestrino|lato finestrino|posto finestrino',
  ],
  [
    'aisle',
    'aisle|aisle seat|gang|gangplatz|am gang|gangsitz|on the aisle|couloir|cote couloir|siege couloir|place couloir|pasillo|en pasillo|asiento de pasillo|lado pasillo|corridoio|lato corridoio|posto corridoio',
  ],
  [
    'middle',
    'middle|middle seat|mitte|mittelplatz|mittelsitz|in der mitte|in the middle|milieu|au milieu|siege du milieu|asiento central|asiento del medio|asiento de en medio|posto centrale|posto in mezzo|posto di mezzo',
  ],
  [
    'jumpseat',
    'jumpseat|jump seat|klappsitz|im cockpit|in the cockpit|strapontin|traspuntin|transportin|strapuntino',
  ],
  ['pilot', 'as pilot|als pilot|as captain|como piloto|como comandante|come pilota|come comandante'],
  [
    'copilot',
    'as copilot|als copilot|als kopilot|as first officer|como copiloto|come copilota|come primo ufficiale',
  ],
])

export const reasonWords: ReadonlyMap<string, FlightReason> = entries<FlightReason>([
  [
    'business',
    "business trip|businesstrip|for business|on business|for work|work|work trip|geschaftlich|geschaftsreise|dienstreise|dienstlich|beruflich|arbeit|zur arbeit|auf geschaftsreise|auf dienstreise|voyage d'affaires|pour affaires|pour le travail|travail|deplacement professionnel|viaje de negocios|viaje de trabajo|por negocios|por trabajo|trabajo|viaggio di lavoro|viaggio d'affari|per lavoro|per affari|lavoro|in trasferta|trasferta",
  ],
  [
    'leisure',
    'leisure|holiday|holidays|on holiday|vacation|on vacation|for fun|pleasure|urlaub|im urlaub|in den urlaub|ferien|in den ferien|freizeit|privat|privatreise|urlaubsreise|private trip|vacances|en vacances|loisirs|conges|vacaciones|de vacaciones|viaje privado|por placer|ocio|vacanza|in vacanza|vacanze|ferie|in ferie|per svago|viaggio privato',
  ],
  [
    'crew',
    'crew|as crew|als crew|equipage|deadhead|deadheading|on duty|tripulacion|como tripulacion|de servicio|equipaggio|come equipaggio|in servizio',
  ],
])

/** Other meanings of a word. */
export const otherReasons: ReadonlyMap<string, FlightReason> = entries<FlightReason>([
  ['business', 'business|biz'],
])

/** The flight did not take place. */
export const cancelled =
  /^(?:(?:flight|flug) )?(?:(?:was|got|is|has been|wurde|ist|war) )?(?:cancell?ed|(?:storniert|annulliert|gestrichen|ausgefallen)(?:e[rn]?)?)(?: (?:flight|flug))?$|^(?:flug )?f(?:iel|allt) aus$|^(?:vol )?(?:a ete )?annulee?$|^(?:vuelo )?(?:(?:fue|ha sido) )?(?:cancelad|anulad)[oa]$|^(?:volo )?(?:(?:e|era) (?:stato )?)?(?:cancellat|annullat)[oa]$/
export const diversionWords = new Set(
  (
    'diverted diversion divert umgeleitet umleitung ausgewichen ausweichlandung ausweichflughafen deroute deroutee deroutement ' +
    'desviado desviada desvio desviacion dirottato dirottata dirottamento deviato deviata deviazione'
  ).split(' '),
)
/** After such a word the flight did not happen, or the text is about something different. */
export const notWords = new Set(
  (
    'not nicht nie never almost nearly fast beinahe without w/o ohne no kein keine ' +
    'meeting hotel train zug termin treffen connection anschluss pas jamais presque sans train reunion correspondance ' +
    'nunca casi tren cita conexion non quasi senza riunione treno appuntamento coincidenza'
  ).split(' '),
)

const fromWords = new Set(['from', 'von', 'ab', 'ex', 'aus', 'de', 'depuis', 'desde', 'da'])
const toWords = new Set(['to', 'nach', 'into', 'vers', 'pour', 'para', 'hacia', 'hasta', 'verso'])
interface Word {
  text: string
  plain: string
}
/**
 * Which end of the flight the place after the word is. Without its accent, `à` is the English article. Next to a code, `per` is
 * Perth: `per lhr`, but `per Londra`.
 */
export function endNamedBy(word: Word | undefined, place: Word | undefined): 'from' | 'to' | undefined {
  if (word === undefined) return undefined
  if (fromWords.has(word.plain)) return 'from'
  const isPer = word.plain === 'per' && place !== undefined && !/^[a-z]{3}$/.test(place.plain)
  return toWords.has(word.plain) || isPer || word.text.toLowerCase() === 'à' ? 'to' : undefined
}

export const withWords = new Set(['with', 'mit', 'w/', 'avec', 'con'])
export const andWords = new Set(['and', 'und', 'et', 'y', 'e', '&', '+', ','])
export const seatNumberWords = new Set([
  'seat',
  'sitz',
  'platz',
  'sitzplatz',
  'siege',
  'place',
  'asiento',
  'posto',
])
export const terminalWords = new Set(['terminal', 'term', 'aerogare'])
export const gateWords = new Set(['gate', 'flugsteig', 'ausgang', 'porte', 'puerta', 'uscita'])
export const flightWords = new Set(['flight', 'flug', 'flightnumber', 'flugnummer', 'vol', 'vuelo', 'volo'])
export const departureWords = new Set([
  'dep',
  'departure',
  'departs',
  'departed',
  'abflug',
  'ab',
  'std',
  'off',
  'leaving',
  'leaves',
  'departing',
  'start',
  'depart',
  'decollage',
  'salida',
  'despegue',
  'partenza',
  'decollo',
])
/** A time after these words is not the departure or arrival. */
export const otherTimes = new Set([
  'boarding',
  'boarded',
  'einstieg',
  'checkin',
  'check-in',
  'delayed',
  'delay',
  'embarquement',
  'enregistrement',
  'retard',
  'embarque',
  'retraso',
  'imbarco',
  'ritardo',
])
export const arrivalWords = new Set([
  'arr',
  'arrival',
  'arrives',
  'arrived',
  'ankunft',
  'an',
  'sta',
  'landing',
  'landed',
  'lands',
  'arriving',
  'landung',
  'arrivee',
  'atterrissage',
  'llegada',
  'aterrizaje',
  'arrivo',
  'atterraggio',
])
export const noteWords = new Set(['note', 'notiz', 'notes', 'anmerkung', 'bemerkung', 'remarque', 'nota'])

/** Words that join others and have no meaning of their own. */
export const joints = new Set(
  (
    'to nach from von on am at um the den der dem and und in im with mit bis - & + flight flug uhr seat sitz platz ' +
    'a an ein eine einer einem einen i we ich wir bin sind my mein meinen unser flew flying flog flogen fliege fliegen geflogen ' +
    // Each flight of a log is one leg.
    'nonstop direct direkt direktflug ' +
    'de du des d le la les un une au aux et en avec vers depuis pour vol siege place je nous mon ma notre pris ' +
    'desde hacia hasta para con y e el una uno al vuelo asiento nuestro directo ' +
    'da dal di il lo per verso volo posto nostro diretto'
  ).split(' '),
)

/**
 * Words that are also codes of airports or airlines, names of places, or parts of dates. In lower case they only have these
 * meanings if nothing better fits.
 */
export const commonWords = new Set(
  (
    'and for the was are you not but had has his her one all can out day get new now old see two way who did its let put say she too use ' +
    'our any how man men may big bad top off own far few got him yes yet ago end due via per row fly air jet bus car fun sea sky ice pay ' +
    'mit von und der die das dem den des ein ist war auf aus bei fur wir ich sie uns zum zur nur vor gut alt neu tag man wie was wer nun ' +
    'bis als ab an am im in um zu so es er da ob oder aber auch noch mal weg hin her uhr std min ort per pro ohne eine einen einem einer ' +
    'jan feb mar apr may jun jul aug sep oct nov dec mrz mai okt dez mon tue wed thu fri son mit don ' +
    'with from into over then than that this they them have been were will when what some very just like late early long good best ' +
    'nach nett sehr dann dass dies spat fruh lang kurz erst eher mein dein sein seat sitz gate note tom ben ada eva max tim leo mia ian ' +
    'eco biz pax row to on at of or is it as by we do go no my me up us if be he hi ok am pm ' +
    'hop lag row red hot wet dry big fat wow lol ugh ouch meh mix fit fix hit hub job key lot mad map mid net odd pub raw run sad set sit ' +
    'une les des est sur par pas mon son nos vol air jeu dim lun ven sam avr fev qui que hier avec pour vers mais tres bien soir midi ' +
    'una uno dos tre due con por para que mas muy esta este hoy ayer mis sus pero como todo hace más soy fue ver vas tal pasa ida ' +
    'el il che chi piu poi suo tuo tua noi voi nel sul dalla tra oggi ieri sera notte mare sole cosa anni mese ' +
    'six ten tea wine food meal time trip tour home work back flew fast slow full'
  ).split(' '),
)

/** Words that name a place only next to another place: “what a nice flight”, “nice paris”. */
export const doubtfulPlaces = new Set(
  'nice sat sun split mobile orange bath reading date most male bar home page bonito'.split(' '),
)
