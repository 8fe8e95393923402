// A file in the shape of a real one, written for the corpus, and what each of its flights truly was.

export interface Sample {
  /** The program and what is special about this file, in a few words: "Flighty, diverted and cancelled". */
  name: string
  /** Half a was in sight while the rules were mended. Half b was tried once after that, and then c, of another author. */
  half: 'a' | 'b' | 'c'
  filename: string
  /** The file, as its program writes it. */
  content: string | Buffer
  /** The options of `POST /imports`, for a person who would have to set them; most files need none. */
  options?: Record<string, unknown>
  /**
   * One line for each flight that the person took or will take, in the order of the file:
   *
   *     2019-05-01 LHR JFK number=BA117 airline=BAW dep=08:20 arr=11:05 type=B744 reg=G-CIVA seat=12A class=business
   *
   * Date (the day of departure there; `2019-05` and `2019` if the file knows no more), airports as IATA or ICAO codes, then what the
   * file says of it, by name. Times are local; `arr=06:10+1` is the next day. `depS` and `arrS` are scheduled times that stand beside
   * actual ones. `?` is a value that the file does not decide: only a question, a warning or an empty field is right. Lines that begin
   * with `-` are records that are no flight or were cancelled: `- cancelled 2019-05-02 LHR JFK`, `- train`.
   */
  truth: string
}
