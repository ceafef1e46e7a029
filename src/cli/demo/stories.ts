/**
 * The stories of the demo: news of towns that do not exist. Each happens in two towns, half a year apart.
 */
/** What happens, and how the newspaper tells it. */
export interface Story {
  /** The rest of the headline, after the name of the town. */
  readonly event: string;
  readonly section: string;
  readonly tags: readonly string[];
  readonly minutes: number;
  readonly summary: string;
  /** Paragraphs in HTML; `{town}` stands for the name of the town. */
  readonly body: readonly string[];
  readonly quote?: readonly [text: string, by: string];
  readonly facts?: readonly [title: string, text: string];
}

/** The stories in the order in which they happen. */
export const stories: readonly Story[] = [
  {
    event: 'gets a night bus',
    section: 'Transport',
    tags: ['bus', 'night'],
    minutes: 3,
    summary: 'It leaves at one and at three, and stops wherever somebody waves.',
    body: [
      'The last tram of {town} has always left at midnight. From this week on, a <em>night bus</em> takes over.',
      'It crosses the bridge, passes the hospital and ends at the harbour. A ticket costs as much as by day.',
    ],
    quote: ['I shall never again walk home from the theatre in the rain.', 'A passenger of the first night'],
    facts: ['The night bus', '<p>At 1:00 and 3:00 from the market, every night but Monday.</p>'],
  },
  {
    event: 'opens its library again',
    section: 'Culture',
    tags: ['books', 'building'],
    minutes: 5,
    summary: 'The reading room has new windows, and forty thousand books found their old places.',
    body: [
      'For two years, the library of {town} lent its books from a tent. On Saturday, readers carried them home.',
      'Nine hundred people formed a line from the tent to the shelves, and passed on the books one by one.',
    ],
    quote: ['Not one book was lost, and three came back that we had given up.', 'The librarian'],
  },
  {
    event: 'plants a thousand trees',
    section: 'Nature',
    tags: ['river', 'trees'],
    minutes: 4,
    summary: 'Volunteers dug for three weekends, and the first oaks stand along the river.',
    body: [
      'Where the river floods the meadows of {town} each spring, oaks, alders and willows will hold the soil.',
      'Pupils water the young trees, and each class has adopted ten of them.',
    ],
    facts: ['The trees', '<p>400 oaks, 350 alders and 250 willows.</p>'],
  },
  {
    event: 'votes for a smaller budget',
    section: 'Town hall',
    tags: ['budget', 'council'],
    minutes: 7,
    summary: 'The council met until midnight, and agreed on fewer lamps and more benches.',
    body: [
      'With eleven votes to eight, the council of {town} has passed a budget that is smaller than the last one.',
      'Lamps at the harbour go out at eleven. The money buys benches, and keeps the swimming pool open.',
    ],
    quote: ['We saved where nobody looks, and spent where everybody sits.', 'The mayor'],
  },
  {
    event: 'shows its painters',
    section: 'Culture',
    tags: ['art', 'weekend'],
    minutes: 4,
    summary: 'Eleven studios open their doors, most of them for the first time.',
    body: [
      'On the first weekend of the month, the painters of {town} let everybody in who is curious.',
      'They show oil and water colours, and one has painted the same bridge on three hundred days.',
    ],
  },
  {
    event: 'repairs its old bridge',
    section: 'Transport',
    tags: ['bridge', 'building'],
    minutes: 12,
    summary: 'After 140 years, the iron bridge gets new rivets and a lane for bicycles.',
    body: [
      'The bridge of {town} was built for carts. Engineers have now counted its rivets: there are 61,000.',
      'Until the work is done, the bus takes the long way round, and a ferry carries people on foot.',
    ],
    quote: ['Iron forgives a lot, but it forgets nothing.', 'The engineer'],
    facts: ['The bridge', '<p>Built in 1885, 212 metres long, 61,000 rivets.</p>'],
  },
  {
    event: 'wins the rowing cup',
    section: 'Sports',
    tags: ['river', 'rowing', 'weekend'],
    minutes: 3,
    summary: 'Eight rowers and a cox of thirteen years were faster than anybody by a boat and a half.',
    body: [
      'Nobody had expected much of the crew of {town}, which trains on a canal.',
      'On the river they took the lead at the second bend, and never looked back.',
    ],
    quote: ['I shouted, and they rowed.', 'The cox'],
  },
  {
    event: 'teaches its bees to share',
    section: 'Nature',
    tags: ['bees', 'school'],
    minutes: 6,
    summary: 'Three schools keep hives together, and sell their honey at the market.',
    body: [
      'The hives of {town} stand behind the school, where lime trees flower in June.',
      'Children learn when to open a hive, and when to leave it alone. The bees know both already.',
    ],
  },
  {
    event: 'turns the mill again',
    section: 'Town life',
    tags: ['building', 'river'],
    minutes: 5,
    summary: 'The wheel had stood still since 1961. Now it grinds flour, and lights the square.',
    body: [
      'Retired millers and apprentices have repaired the water mill of {town} for six winters.',
      'By day the mill grinds rye and wheat, by night it gives the square its light.',
    ],
  },
  {
    event: 'sings on every balcony',
    section: 'Town life',
    tags: ['music', 'weekend'],
    minutes: 2,
    summary: 'The choirs of the town meet in the streets, and everybody above joins in.',
    body: [
      'At six in the evening, the conductor climbed on the fountain of {town} and raised her hands.',
      'Four choirs began, and before the second verse the balconies had become the fifth.',
    ],
  },
  {
    event: 'counts its swifts',
    section: 'Nature',
    tags: ['birds', 'building'],
    minutes: 4,
    summary: 'There are 412, more than ever, since builders leave holes under the roofs.',
    body: [
      'Swifts live in the air, but they nest in walls. The roofers of {town} leave a brick out for them.',
      'Forty people counted at dusk, each a single street, and compared their lists afterwards.',
    ],
  },
  {
    event: 'moves its market to the station',
    section: 'Town life',
    tags: ['market', 'tram'],
    minutes: 5,
    summary: 'Between two trains one can buy bread, cheese and flowers.',
    body: [
      'The market of {town} had lost its square to cars. Under the roof of the station there is room.',
      'Farmers come by the first tram, with their goods in its last carriage.',
    ],
  },
  {
    event: 'elects a mayor of twenty-six',
    section: 'Town hall',
    tags: ['council', 'election'],
    minutes: 8,
    summary: 'She won by 31 votes, and begins with a question to every household.',
    body: [
      'The new mayor of {town} drives a tram, and wants to keep doing so on Sundays.',
      'Her letter to every household asks what the town should stop doing. The council discusses the answers in public.',
    ],
  },
  {
    event: 'skates on the canal',
    section: 'Sports',
    tags: ['ice', 'weekend'],
    minutes: 3,
    summary: 'The club has flooded the meadow beside it, so that the ice holds after two cold nights.',
    body: [
      'For years it was too warm for skating in {town}. Shallow water on a meadow freezes sooner than a canal.',
      'Lamps and music come from the mill, and skates for beginners from the club.',
    ],
  },
  {
    event: 'finds a Roman kitchen',
    section: 'Culture',
    tags: ['building', 'history'],
    minutes: 9,
    summary: 'Workers who laid a pipe found a stove, eleven pots and a recipe for fish.',
    body: [
      'Under the bus station of {town}, archaeologists have uncovered a kitchen of the second century.',
      'A wax tablet tells how to season river fish. The school has cooked it, with success.',
    ],
  },
  {
    event: 'lets its river wander',
    section: 'Nature',
    tags: ['river', 'trees'],
    minutes: 10,
    summary: 'Diggers have taken away the stones that had held it straight for a century.',
    body: [
      'The river at {town} is allowed to choose its bed again, within a valley that nobody builds on.',
      'After the first flood there were two islands, a bank of gravel and a pair of kingfishers.',
    ],
    facts: ['The river', '<p>Seven kilometres, four new ponds, two islands.</p>'],
  },
  {
    event: 'opens a school at night',
    section: 'Schools',
    tags: ['night', 'school'],
    minutes: 6,
    summary: 'Those who work by day learn to read, to reckon and to repair a bus.',
    body: [
      'When the children have gone home, the lights of the school of {town} go on again.',
      'The course about engines is full, since the bus company gives everybody work who passes it.',
    ],
  },
  {
    event: 'races its soap boxes',
    section: 'Sports',
    tags: ['school', 'weekend'],
    minutes: 2,
    summary: 'A bathtub with four wheels was the fastest, and the brakes of a piano failed.',
    body: [
      'The steepest street of {town} belonged to thirty boxes on wheels, none of which had an engine.',
      'A jury gave prizes for speed, for beauty and for the best excuse.',
    ],
  },
  {
    event: 'gives its pupils a newspaper',
    section: 'Schools',
    tags: ['books', 'school'],
    minutes: 4,
    summary: 'Eight pages a month, written, printed and sold by pupils.',
    body: [
      'The first issue of the paper of {town} asks why the school has no bicycle stand. The second has a picture of one.',
      'Every pupil writes, and every text has two readers before it is printed.',
    ],
    quote: ['We print mistakes, too. On page seven, with the correction.', 'The editor'],
  },
  {
    event: 'lights the harbour',
    section: 'Town hall',
    tags: ['council', 'night', 'river'],
    minutes: 3,
    summary: 'Lamps that only shine when somebody passes save money, and show the stars.',
    body: [
      'The harbour of {town} was dark for a year, because the council had to save.',
      'The new lamps notice people, boats and the night bus, and sleep otherwise.',
    ],
  },
];
