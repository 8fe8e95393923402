// Words for seats, classes and reasons in files, in several languages. An unknown word leaves the field empty and is reported;
// there is no default.

import type { FlightReason, Seat, SeatClass } from '../../../domain/enums.ts'
import { bookingLetters } from '../../../domain/imports/boarding-pass.ts'
import type { ImportWarning } from '../../../domain/imports/imports.ts'
import { searchFold } from '../../../domain/text/fold.ts'

/** The meaning of a source's own words, written as in the file or in lower or upper case. Null if the word means “none”. */
export type Words<Value> = Readonly<Record<string, Value | null>>

const listed = <Value extends string>(meanings: Record<Value, string>): Map<string, Value> =>
  new Map(
    (Object.entries(meanings) as [Value, string][]).flatMap(([value, words]) =>
      words.split(',').map((word): [string, Value] => [fold(word), value]),
    ),
  )

/** Keeps the plus sign: comfort+ is not comfort. */
const fold = (text: string): string => searchFold(text.replaceAll('+', ' plus '))

const seatWords = listed<Seat>({
  window:
    'window,window seat,w,fenster,fensterplatz,hublot,fenetre,cote fenetre,ventana,ventanilla,finestrino,janela,raam,raamplaats,vindue,vindu,fonster,ikkuna',
  middle:
    'middle,middle seat,center,centre,m,mitte,mittelplatz,milieu,centro,medio,central,centrale,meio,midden,midt,midten,mitten,keski',
  aisle:
    'aisle,aisle seat,a,gang,gangplatz,couloir,allee,pasillo,corridoio,corredor,gangpad,midtgang,gange,kaytava',
  pilot:
    'pilot,captain,pic,pilot in command,cockpit,kapitan,commandant,comandante,pilote,piloto,pilota,gezagvoerder,kaptajn,kaptein',
  copilot:
    'copilot,co pilot,first officer,fo,sic,second in command,kopilot,copilote,copiloto,copilota,styrmand',
  jumpseat: 'jumpseat,jump seat,jump,observer seat,notsitz,strapontin,transportin,traspuntin,strapuntino',
  other:
    'other,other seat,sonstige,sonstiger,anderer,anderer platz,autre,autre siege,otro,otro asiento,altro,altro posto,outro,anders,andet,annen,annat,muu',
})

const classWords = listed<SeatClass>({
  economy:
    'economy,economy class,eco,econ,coach,coach class,main cabin class,main cabin,main,y,eco light,ecolight,economy light,tourist,basic economy,economyclass,economique,classe economique,turista,clase turista,economica,classe economica,classe turistica,turistica,okonomi,okonomiklasse,ekonomi,ekonomiklass,turistiluokka,touristenklasse,economyklasse',
  'economy+':
    'economy+,premium,premium economy,premium eco,prem eco,premeco,eco plus,economy plus,ecoplus,economyplus,comfort+,comfort plus,economy comfort,extra comfort,w,premium_economy,economy_plus,plus,premiumeconomy,premium economy class,premium select,world traveller plus,premium okonomi,economique premium,eco premium,turista premium,premium economica,economica premium,economia premium',
  business:
    'business,business class,businessclass,club,club world,club europe,c,j,d,i,z,upper,upper class,polaris,mint,biz,affaires,classe affaires,negocios,clase de negocios,clase business,classe business,ejecutiva,clase ejecutiva,executiva,classe executiva,zakelijk,forretningsklasse,business klasse,businessklasse,bisnesluokka,affarsklass,delta one',
  first:
    'first,first class,firstclass,first_class,f,suite,suites,the suite,la premiere,premiere,premiere classe,erste klasse,erste,primera,primera clase,prima,prima classe,primeira,primeira classe,eerste klasse,forste klasse,forsta klass',
  private:
    'private,private jet,charter,ga,general aviation,privat,privatflug,prive,vol prive,privado,vuelo privado,privato,volo privato,privaat,yksityinen',
})

const reasonWords = listed<FlightReason>({
  leisure:
    'leisure,personal,private,holiday,holidays,vacation,visit,visiting,family,pleasure,tourism,privat,urlaub,ferien,freizeit,besuch,loisir,loisirs,vacances,prive,personnel,ocio,vacaciones,placer,turismo,vacanza,vacanze,piacere,svago,lazer,ferias,vakantie,fritid,ferie,semester,loma,l',
  business:
    'business,work,business trip,beruflich,dienstlich,geschaftlich,dienstreise,geschaftsreise,arbeit,affaires,travail,professionnel,negocios,trabajo,lavoro,affari,trabalho,negocio,zakelijk,werk,arbejde,jobb,arbete,tjanste,forretning,tyo,commute,commuting,b',
  crew: 'crew,positioning,deadhead,dead head,duty,besatzung,equipage,tripulacion,tripulante,equipaggio,tripulacao,bemanning,besaetning,dienst an bord,miehisto,c',
  other:
    'other,sonstiges,andere,anderer,anderes,autre,autres,otro,otros,altro,outro,outros,anders,andet,annet,annat,muu,o',
})

/** Booking letters, for sources that have letters instead of words. */
const letterWords = new Map(
  (Object.entries(bookingLetters) as [SeatClass, string][]).flatMap(([name, letters]) =>
    [...letters.toLowerCase()].map((letter): [string, SeatClass] => [letter, name]),
  ),
)

type Field = 'seat' | 'seatClass' | 'flightReason'

const reader =
  <Value extends string>(field: Field, words: ReadonlyMap<string, Value>) =>
  (text: string | null | undefined, warnings: ImportWarning[], own: Words<Value> = {}): Value | null => {
    const plain = (text ?? '').trim()
    if (plain === '' || /^[-–—?]+$|^(?:none|null|n\/a|unknown|\\n)$/i.test(plain)) return null
    const found = ownMeaning(own, plain)
    if (found !== undefined) return found
    const known =
      words.get(plain.toLowerCase()) ?? words.get(fold(plain)) ?? words.get(fold(withoutLetter(plain)))
    if (known !== undefined) return known
    warnings.push({ code: 'value_not_understood', field, value: plain })
    return null
  }

/** `Coach Class - M`, `Economy (Y)`: the word says more than the letter of the booking class. */
const withoutLetter = (text: string): string => text.replace(/\s*(?:[-–/,]\s*[A-Z]|\([^)]*\))$/, '')

function ownMeaning<Value>(own: Words<Value>, text: string): Value | null | undefined {
  const key = [text, text.toLowerCase(), text.toUpperCase()].find((word) => Object.hasOwn(own, word))
  return key === undefined ? undefined : own[key]
}

/** The seat that the text means. The source's own words come first; unknown words are reported in `warnings`. */
export const readSeat = reader('seat', seatWords)
/** The class of travel. `readBookingLetter` reads the letters of booking classes. */
export const readSeatClass = reader('seatClass', classWords)
export const readReason = reader('flightReason', reasonWords)
export const readBookingLetter = reader('seatClass', letterWords)
