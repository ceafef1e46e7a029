/**
 * @license
 * The most common passwords in lower case, in alphabetical order: the first 3,000 of the list `passwords` of zxcvbn 4.4.2, and of the rest
 * of that list those with at least twelve characters. Left out are passwords of fewer than four characters, and those that consist of
 * another password of this list and digits or signs after it. The list was made from the ten million passwords that Mark Burnett published. License of zxcvbn (MIT):
 *
 * Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.
 *
 * Permission is hereby granted, free of charge, to any person obtaining
 * a copy of this software and associated documentation files (the
 * "Software"), to deal in the Software without restriction, including
 * without limitation the rights to use, copy, modify, merge, publish,
 * distribute, sublicense, and/or sell copies of the Software, and to
 * permit persons to whom the Software is furnished to do so, subject to
 * the following conditions:
 *
 * The above copyright notice and this permission notice shall be
 * included in all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
 * EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
 * MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
 * NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
 * LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION
 * OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
 * WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
0.0.0.000 0.0.000 000000 000001 000007 0007 007007 01011 01012000 01012001 01012010 01012011 010203 01091989 012345678910 014702580369
01telemike01 02071982 02071986 03082006 0420 1000 1001 1005 1007 10101 1012 10203 1024 102938 1066 111111 1111111111zz 11112222 111222
1122 112358 12121 121314 1221 122333 1225 123098 12312 123123a 123123q 123123qweqwe 1232323q 12332 123321q 123321qweewq 1234 1234567890q
1234567890qaz 1234567890qw 1234567890qwe 1234567890qwerty 1234567890zzz 123456789a 123456789abc 123456789asd 123456789q 123456789qaz
123456789qqq 123456789qwe 123456789qwer 123456789qwerty 123456789z 123456789zxc 12345678a 12345678q 1234567a 1234567q 1234567qwertyu
123456a 123456aa 123456k 123456q 123456qwerty 123456r 123456s 123456z 12345a 12345q 12345qwe 12345qwert 12345z 1234abcd 1234qwe 1234qwer
1234qwerasdf 1234qwerasdfzxcv 123654 12369874 123789 123987 123aaa 123abc 123asd 123qaz 123qwe 123qwe456rty 123qweasd 123qweasdzxc
123qwerty 123zxc 124578 128500 12qw34er 12qw34er56ty 12qwas 12qwaszx 131313 132435 134679 135246 1357 1366613 141627 142536 147258 147852
1478963 150781 15426378 159357 159753 159951 162534 1701 18436572 192837 19411945 1a2b3c 1a2b3c4d 1a2s3d4f5g6h 1passwor 1q2w3e 1q2w3e4r
1q2w3e4r5t 1q2w3e4r5t6y 1qa2ws3ed 1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw2 1qazxsw23edc
1qazxsw23edcvfr4 1qwerty 1x2zkg8w 200000 2112 2128506 222333 223344 23176djivanfros 235689 2468 25802580 258456 31217221027711 314159
315475 321123 321456 321654 32615948worms 332211 333666 336699 362436 4121 4128 41d8cd98f00b 420247 420420 445566 456123 456321 456654
456852 4815162342 4815162342lost 4runner 50cent 5150 541233432442 5551212 555666 555777 59382113kevinp 654321 666666 666777 666999 6751520
6969 73501505 741852 742617000027 753159 753951 7753191 7777777 777888 7779311 778899 784512 787898 789123 789456 7895123 789654 789987
852456 8675309 89231243658s 89876065093rax 8j4ye3uz 90210 906090 911911 9379992 951753 963852 987456 a12345 a1b2c3 a1b2c3d4 a1s2d3
a1s2d3f4 a1s2d3f4g5h6 aaa111 aaliyah aardvark abc12 abcd123 aberdeen abgrtyu absolut access accord achilles action adgjmptw adidas admin
adonis aezakmi agent007 aggies aikido airborne airbus airforce airplane alabama alaska albatros albion alejandr aleksandr aleksandra
aleksey alexande alexandr alexis alfa alibaba aliens allmine allsop allstar alpha alphabet alpine alucard amadeus amadeusptfcor amanda1
amateur amazon amber1 america amsterda amsterdam an83546921an13 anaconda anakin anal analsex anarchy andrei andrew1 andrewjackie andrey
andromeda anfield angel angels angus anhyeuem animal anime antananarivu anthony1 anubis apache apollo apple applepie apples aquarius
aragorn area51 arizona arjay armani arsenal artemis artur asd123 asdasd asdf asdfasdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdfjkl
asdzxc ashley1 aspire aspirine assassin assfuck asshole assholes assman asterix astros atlanta atlantis atomic auburn auckland2010 audia4
aussie austin australi avalanch avalon avatar avenger avrillavigne awesome azamat azerty azsxdc azsxdcfv babe babes babyblue babyboy
babydoll babyface babygirl babylon bacardi backdoor badass badboy baddog badger badgirl baggins bagira baller balloon balloons balls
bambam banana bananas banane bandit bang bangkok banker banshee barbie barcelon barcelona barefoot barkley barney barsik baseball basket
basketba bassman bastard batman bayern beaches beagle beaner beanie bear beast beastie beatles beautifu beauty beaver beavis beckham
beefcake beer beetle benfica bengals beretta berlin bicycle bigass bigballs bigbear bigbird bigboobs bigboy bigcock bigdaddy bigdick
bigdog bigfoot biggie biggles bigguy bigmac bigman bigmike bigmoney bigone bigred bigsexy bigtime bigtits bikini billy1 billybob billyboy
bimmer bing bingo birdie birdman biscuit bitch bitches biteme bizkit blabla black1 blackbir blackcat blackdog blackhaw blackie blackjac
blackjack blacks blacky blade blades blahblah blaster blazer blessed blessing blink182 blizzard blonde blondes blondie blowjob blowme
bltynbabrfwbz blue bluebird blueboy bluedog blueeyes bluemoon blues bluesky bob123 bobafett bobby1 bobcat boeing bogart bogdan bogey
bohica bollocks bollox bomber bond007 bondage bonehead boner bones bonjour bonkers bonsai boob boobie boobies booboo boobs booger boogie
bookworm boomboom boomer bootie boots booty boricua bosco bossman boston bounce bowler bowling boxing boy4u2ownnyc bpgjldsgjldthnf br0d3r
br549 brando brandon1 brandy brasil braves brazil breast breeze brian1 brighton bristol britney bronco broncos brooklyn brownie browns
brucelee bruins brutus bubba bubbas bubble bubbles bucket buckeye buckeyes buckshot buddah buddha buddy budlight budman budweise buffalo
buffett buffy1 bugger builder bull bulldog bulldogs bullet bullseye bullshit bunghole bunny burger businessbabe buster butch butter
butterfl butterfly butthead butthole buttman buttons buzzard byteme cabbage cactus cadillac caesar calgary calico caliente californ
caligula camaro cambiami camel camelot camels cameron canada cancer cancun candle candyman canon cantona capone captain caramel cardinal
carolina carpet carrera carrot cartman cartoon casanova caserta casey1 casino casper cassie cat123 catch22 catdog catfish catherin catman
cats cavalier caveman cbr600 ccbill cdtnkfyf celeron celica celine celtic celtics cerberus cessna cfitymrf cgfhnfr chainsaw champ champion
champs changeme chaos charger chargers charles1 charli charlie charlott charlton charly charmed chaser cheers cheese cheetah chelsea
cherokee cherry chester chevelle chevrole chevy chewie cheyenne chicago chichi chicken chickens chickenwing101 chicks chico chiefs chipper
chivas chocolat chopper chou chris1 chrisbln chrissy christ christia christin christop christopher1 chronic chrono chuang chubby chuckie
chuckles chucky chunky cicero cigars cinder cinnamon cjdthitycndj cjkysirj cjkywt clancy clapton clarinet classic clemson clevelan clipper
clitoris cloud9 clouds clover cobra cocacola cock cocks coconut coffee cohiba coke colombia colorado colors colt45 coltrane combat123654
comet commando compaq compute computer concrete condom condor connect connor consumer contortionist cookie cookies cooldude cooler coolguy
coolio coolman cooter copper corona corperfmonsy corrado corvette cosmo cosmos cosworth cougar counterstrike cowboy cowboys coyote cracker
crazy1 crazybab creampie creamy creative cricket crimson critter crjhgbjy cruise cruiser crunch crusader crysis crystal1 cthulhu cthutq
cubbies cubswin cuddles cumming cumshot cunt cunts cupcake curious custom cutlass cutter cxfcnmt cyber cyclone cyclops cypress daddy1
daewoo dagger daisy1 dakota dalejr dallas dammit damnit dancer dang danger danie daniel1 daniil danila danni dannyboy danzig darkness
darkside darkstar david1 davids dawg daytona dbrnjh dbrnjhbz deadhead deadman death1 deejay deepthroat deeznuts deeznutz defender defiant
deftones delete delta deluxe denali deniska depeche desert designer desire deskjet destiny detroit devil devildog devilmaycry4 devils
dexter dfkthbz dfkthf dfktynbyf dfvgbh dharma diablo diamond diamonds dick dickhead dicks diehard diesel dietcoke digger digital
digitalprodu dilbert dildo dilligaf dima dinamo ding dingdong dinosaur discover disney diver divine dkflbckfd dkflbvbh dkflbvbhjdbx
dkflbvbhjdyf doberman doctor dodge1 dodger dodgeram dodgers dogfood dogg doggie doggy doghouse dogman dogs dollar dolphin dolphins
domainlock2005 domino donkey donuts doobie doodle doogie dookie doughboy dracula drago dragon dragons dragoon dreamer dreams driver drizzt
droopy drowssap drpepper drummer dthjybrf dublin ducati duchess duck dumbass durango duster eagle eagles eastside eatme eatpussy eatshit
eclipse eduard edward1 eeyore einstein ekaterina electric element elephant elizabet elvis1 emerald emily1 eminem empire engage engineer
enigma enter enterpri enterprise eraser ericsson erotic erotica escort eternal eternity europa everest everton excalibu exigen exigent
exodus explorer express extreme f**k fabie fabric facial faggot falcon falcons fallen fallout fang fantasy farside fart faster fatass
fatboy fatcat fatman feather fender feng fernand ferrari ferret fester fetish fghtkm ficken fiesta figaro fighter filter finalfantasy
finger fire fireball firebird firefly firefox fireman fish fishes fishing fitness fkmnthyfnbdf fktrcfylh fktrcfylhf fktrcfylhjdbx
fktrcfylhjdf fktrcfylhjdyf fktrctq flames flamingo flash flatron fletch flipper floppy florian florida flounder flower fluffy
flvbybcnhfnjh flyboy flyers foobar footbal football fordf150 forest forever forfun formula fortuna fossil foxtrot francesc frank1 franky
freaks freaky freckles freddy frederiksberg freedom freepass freeporn freeuser friday fright frisco frisky frodo frog frogger froggy
front242 frontier frosty fubar fuck fuck_inside fucked fucker fuckers fuckface fuckher fucking fuckit fuckme fuckoff fucktheworld fuckthis
fucku fuckyou fuckyoubitch fugazi funtime fusion futbol fyfcnfcbz fylhtq fynfyfyfhbde gabrie gabriell galaxy galina galore gambit gandalf
gangbang gangsta gangster garden garfield gargoyle gateway gator gators gbpltw gegcbr geheim gemini genesis genius george1 geronimo
gesperrt getmoney getsome gfhjkm gfhjkmgfhjkm ghbdtn ghbdtnbr ghbdtnghbdtn ghbdtnrfrltkf ghetto ghhh47hj7649 ghjcnj ghjcnjgbpltw
ghjcnjgfhjkm ghjcnjghjcnj ghjcnjnfr ghjcnjqgfhjkm ghjcnjrdfibyj ghjnbdjcnjzybt ghost giants ginger giorgi girls gizmo gizmodo gjkbyf
gjkysqgbpltw gladiator gmoney gn56gn56 goalie goblin goblue goddess godfathe godfather godsmack godzilla gofish goforit goku golden
goldfish goldstar goldwing golf golfball golfer golfing goliath gollum gong gonzo goober goodboy goodluck goodtime goofy google goose
gopher gordon24 gorilla gotcha gothic gotohell govols granny grapes great1 greatone green1 greenbay greenday greenlantern greens gregor
gremlin grendel gretzky griffey gringo grizzly groove groovy groucho grumpy gsxr750 gtnhjpfdjlcr guardian guiness guinness guitar gundam
gunnar gunner gunners gustav hacked hacker hairy hal9000 halflife hallo hambone hamburg hamlet hammer hammers hamster handyman hannah
hannibal hansolo happy1 happyday hardcock hardcore hardon hardrock harley harry1 havefun hawaii hawaiian hawkeye hawkeyes hayabusa
hd764nw5d7e1vb1 hearts heather1 heaven hedgehog hedimaptfcor heineken hellfire hello helloo hellyeah helmet helpme hendrix hentai herbie
hercules hermes hershey hesoyam hidden highland hiphop hithere hitler hitman hjvfirf hobbes hobbit hockey hokies holiday holly1 hollywoo
holyshit homer1 homers homerun honda honey1 hongkong hooker hoosier hoosiers hooter hooters horizon horndog hornet horney horny horse
horses hotboy hotdog hotpussy hotred hotrod hotsex hotshot hotstuff hottie hummer hunter hunting hurrican husker huskers huskies hustler
hyperion iampurehaha2 ib6ub9 ibanez icecream iceman idontknow iforgot igor iguana ihateyou illini illusion iloveboobies ilovemyfamily
ilovesex iloveu iloveyo iloveyou immortal impala incubus indiana indians indigo inferno infiniti infinity ingodwetrust insane insert
installdevic installsqlst integra intel internet intrepid intruder irina irish1 ironman iseedeadpeople italia ivanov ivanova iverson
iwantu jabroni jackal jackass jackoff jackson1 jacob1 jagger jaguar jamaica james007 james1 jamesbon jamesbond jamie1 jammer jarhead
jasmine jason1 jasper java jaybird jayhawk jazzman jedi jeep jenny1 jericho jerkoff jessic jessica1 jester jesus1 jethro jewels jimbo
jimbob jimmy1 johannes john316 johnboy joker jokers jordan joshua1 jrcfyf juggalo juice jumper junebug jungle junior jupiter just4me
justdoit justice justin1 justinbieber justme juventus kahuna kaktus kamikaze kangaroo kansas karate karina karolina kashmir kasper katana
katerina katie1 katrin kawasaki kcj9wx5n keeper kelly1 kenshin kenwood kenworth kevin1 keyboard keystone keywest kickass kicker killbill
killer killme kingfish kingkong kingpin kingston kinky kipper kirill kisses kissme kitkat kitten kitty kittycat klaster klingon knickers
knicks knights knopka kodiak kolobok kool korn koshka kosmos kostya kotenok krishna ktyjxrf kume kungfu labrador labtec lacrosse ladybug
laguna lakers lancelot lancer lansing laptop larisa laser lasvegas latino leather leavemealone ledzep legacy legend legion legolas lennon
leonid leopard lesbian lesbians lespaul lestat letmein letsgo lexmark lexus lhbjkjubz2957704 liberty lick licker lickit lickme lifehack
lightnin lightning lights lineage2 lion lionking liquid liverpoo liverpool lizard lobster loco logan1 logitech lokomotiv lol123 lolipop
lollipop lollol london lonestar lonewolf longhorn looker looser loser losers lost4815162342 love loveit lovely loveme lover loverboy
lovers lovesex loveyou lowrider lucifer lucky luckydog ludmila lvbnhbq lytghjgtnhjdcr macdaddy machine macross maddie maddog madison
madman madmax madness madonna maestro maggie maggot magic magick magicman magnum magnus magpie maiden mailcreated5240 mailman majestic
makaveli maksim malaka malibu malina mallard mamapapa manchest manchester mandingo maniac manson manutd maprchem56458 maradona marathon
maria1 marina marine mariners marines marino marius marlboro marley martin1 martini maryjane massimiliano massive maste master
masterbaiting masterbating masturbation matador matrix matthew1 mature maurolarastefy maverick max123 maxell maxim maxima maximus maxwell
maxx mayday mayhem mazafaka meatball meathead meatloaf mechanic medusa megadeth megaman megapass megatron meister melissa1 mellon mellow
memorex memphis menace meowmeow mercedes mercury meridian merlin mersedes metallic metallica mevefalkcakk mexico miami mian michae
michael1 michaeljackson michigan mickey microlab micron microsof microsoft midget midnight midway mighty mikey milana milano milena
minecraft minime minnesota_hp mirage misfit mishka missy1 mister mistress mittens mnbvcxz mojo molly1 moloko molson momoney
momsanaladventure monaco monalisa monday mondeo money moneyman moneys mongoose monitor monke monkey monkeys monopoly monster montana
montgom240 montreal moocow mookie moomoo moonlight moose morganstanley morpheus mortalkombat mortgage mortimer moscow mother motherlode
motorola mountain mouse mozart msorcloledbr muffin mulder multiplelo munchkin muppet muscle mushroom music1 musica musicman mustang
mustangs mustard mybaby mylife mylove mypass mystic naked napass napster naruto nascar nasty nastya natali natasha naughty ncc1701
ncc1701a ncc1701d ncc1701e ne1469 nebraska needforspeed nemesis nemvxyheqdd5oqxyxyzi neptune networkingpe nevada newbie newcastl newlife
newpass newport newproject2004 newyork nfnmzyf nhecsyfujkjdt nhfdvfnjkju123 nhfycajhvths nickel nicola nicole1 nigger nightcrawler nike
nikita nikola nikolay nimrod niners ninja nintendo nipper nipple nipples nirvana nissan nitram nofear nokia nolimit nondriversig noodle
noodles nookie nopass nudist nugget number1 nuttertools nwo4life nyjets nylons nymets oakland oasis obiwan oblivion ohyeah oicu812 oilers
oksana olcrackmaster oldman oleg oliver olivier omega onelove online onlyme ontheoutside openup operator optimus oracle orange oranges
orchid orgasm orioles orion oscar1 osiris ou812 outkast outlaw overkill overlord oxford p0015123 p030710p$e4o pa55w0rd pa55word packard
packer packers pacman padres paintbal paintball pakistan paladin panama panasoni panasonic pancho panda pandora pantera panther panthers
panties pantyhos panzer paradise paradox paraklast1974 parola parrot pascal pass passat passion passme passport passw0rd passwor password
passwords passwordstandard passwort patches patrick1 patriot patriots pavilion peach peaches peanut peanutbutter peanuts pearljam pebbles
peekaboo peewee pegasus pencil penguin penguins penis penny1 penthous pentium pepper pepsi pervert peter1 peterpan peugeot phantom
philippe philips phillies philly phish phoenix photos phpbb pianoman picard picasso piccolo pickle pickles pics piglet pikachu pillow pimp
pimpin pineappl ping pingpong pinhead pink pinkfloy pioneer pippen pirate pirates pisces pissing pistol pitbull pizza pizzas planet
plastic platinum playboy player playstation2 playstation3 playtime plumber plymouth pobeda poison poiuyt poiuytrewq pokemon polaris police
polina polniypizdec0211 polniypizdec110211 polo polska pompey poncho pontiac pony poochie poodle pooh poohbear pookie poontang poop pooper
poopie poopoo pooter popcorn popeye poppy porkchop porn porno pornographic pornos pornstar porsche portland portugal poseidon possum
postal potato powder power1 precious predator prelude presario presto primus prince princes princess printer prissy private privet prodigy
prophet proxy psycho ptybnxtvgbjy pudding pumpkin punisher punkin punkrock punksnotdead puppies puppy pupsik purdue purple pussie pussies
pussy pussycat pussys putter pyramid python q12345 q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8
q1w2e3r4t5y6u7i8o9p0 qawsed qawsedrf qawsedrftgyh qaz123 qaz123wsx456 qazqaz qazwsx qazwsxed qazwsxedc qazwsxedcrfv qazwsxedcrfvtgb qazxsw
qazxswedc qazxswedcvfr qqq111 quantum quartz quattro queens qwaszx qwaszxerdfcv qwe123 qweasd qweasdzxc qweqwe qwer123 qwerasdf
qwerasdfzxcv qwert qwertasdfgzxcvb qwerty qwertyasdfgh qwertyu qwertyui qwertyuio qwertyuiop qwertyytrewq qwertz r2d2c3po rabbit rabota
racecar racer racerx rachel1 racing ragnarok raider raiders rainbow rainman raistlin rambler rambo rammstein ramses random ranger rangers
raptor rascal rasdzv3 rasputin rasta rastaman raven ravens razz rbhbkk rctybz reader realmadrid reaper rebecca1 rebel rebels red123
redalert redbull reddog redfish redhead redhot redman redneck redrum redskins redsox redwing redwings redwood reebok reefer renault
renegade rereirf rescue residentevil retard rfhbyf rfnthbyf rfrfirf rfrnec rhbcnbyf rhfcjnrf richard1 rightnow ripken ripper ripple
rjirfrgbde rjntyjr rjycnfynby roadkill roadking roadrunn robert1 robotech rocker rocket rockets rockford rockhard rockon rocks rockstar
rocky1 rodman roller rolltide romashka rommel ronaldo rookie rooster rootbeer rosebud rotten route66 rover rovers royals rtyuehe rubber
rulez rulezzz runescape runner rush2112 ruslan russia rustam rusty1 sabbath sabine sabres sadie1 safari sailboat sailing sailor saints
sakura salamander saleen salmon salomon samantha samiam sammy1 samson samsung samurai sancho sandiego sandman sandro sandy1 sanfrancisco
sapper sapphire sarah1 saratoga sascha sasha1 sassy sasuke satan saturn saun sauron sausage sayang scania scanner scarface scarlet
schoolgirlie scooby scoobydo scooter scorpio scorpion scotch scotland scott1 scotty scout scrappy scream scruffy scuba scully seahawks
seamus searay seattle sebastia secret security seeker seemnemaailm seinfeld select seminole semperfi sentinel septembe serega serenity
sergei sergey sersolution server sesame seven7 sex123 sex4me sexsex sexual sexx sexxxx sexy sexygirl sexyman shado shadow shaggy shai
shalom shaman shamrock shaney14 shania shannon1 shaolin shark sharks sharky shasta shaved shazam shelby shemale sherlock shiloh shithead
shitty shogun shooter shorty shotgun shou showme showtime shun siemens sierra silver simba simon1 simple simpsons sinatra sinbad sinner
sirius sithlord sixers skater skeeter skidoo skiing skinny skipper skippy skittles skorpion skydive skyline skywalke skywalker slacker
slappy slapshot slave slayer sleepy slick slider slinky slipknot slut sluts slutty smeghead smegma smelly smiles smiley smitty smoke
smoker smokes smokey smokin smooth smudge smut snake snakes snapon snapper snapple snatch sneakers snickers sniper snoop snoopdog snoopy
snowball snowboar snowman snuggles sobaka soccer socrates softball software sojdlg123aljg soldier soleil solnce sommer sonic sonics
sonnenschein sony sonyericsson sooners sophie soso123aljg southpark spaceman spank spanking spankme spanky sparkle sparky sparta spartak
spartan spartans spawn speaker specialinsta spectrum speedy spider spiderma spiderman spidey spike spirit spitfire splash splinter
spongebob spooky spring sprint sprite spunky spurs sputnik spyder squash squirrel squirt srinivas stalin stalker stallion star starbuck
starcraft stardust starfire starfish stargate starman starship starter startrek starwars static stealth steeler steelers stefano steph
stephani stereo sterlin steve1 stickdaddy77 sticks sticky stimpy sting stinger stingray stinky stinkyfinger stocking stocks stonecol
stoned stones stoney storm stormy stranger stratocaster strider strike striker stripper stud studly stumpy stunner stupid subaru sublime
subway success suck sucker suckit suckme sucks sugar sultan summer summit sundance sunday sunflowe sunnyday sunrise sunset sunshin
sunshine super superfly superman supersta superstar surf surfer surfing suzuki svetik svetlana swallow sweet1 sweetpea sweets sweety
swimmer swimming swinger swingers sword swordfis swordfish swords sydney syncmaster syracuse systemofadown tacobell tacoma talisman tango
tanker tardis target tarheel tarheels tarzan tattoo tatyana taurus taylor1 tazman tazmania tdutybq teacher technics techno teen teens
tekken telefon temp tempest temppassword tennis tequila terminator terrapin terror test tester testing texas1 thailand thanatos thankyou
theboss thecakeisalie thecat thedog theend thegame thegreat thekid theking theman theone therock thesims thirteen thomas1 thongs thor
thuglife thumper thunder thx1138 tiberius ticketmaster tickle tiger tigers tigger tights timber tinker tinkerbell tinman tintin titanic
titanium titans titleist tits titties titty tolkien tomato tomcat tommy1 tommyboy tootsie topcat topdog topgun topher topper tornado
toronto toshiba tottenha toyota tracker tractor trader trance transam translator trapper travel traveler treasure trebor trfnthbyf
triangle tricky trident trigger trinity triton triumph trixie trojan trojans trombone trooper trouble truck trucker trucks truelove
trumpet trunks trustno1 tsunami tuesday tunafish tundra turbo turkey turtle tweety twilight twinkle twisted twister tyler1 typhoon ufkbyf
ultima ultimate umbrella underdog undertaker unicorn unreal usa123 usarmy usmc usnavy usuckballz1 utopia vacation vader vagina valentin
valentina valera valhalla vampire vanhalen vanilla vanyarespekt vector vectra vegeta velvet verbatim veritas vermont veronika vertigo
vette vfczyz vfhbyf vfhbyfvfhbyf vfhecz vfhufhbnf vfksirf vfrcbv vfrcbvrf vfrcbvvfrcbv vfvekz vfvfgfgf vfvfvskfhfve vfvjxrf vh5150 viagra
victory viewsonic viking vikings viktor viktoria viper vipers virgin vision vitalik vkontakte vladik vladimir vladimirovna vladislav
volley volvo voodoo vortex voyager voyeur vulcan walleye walmart walnut walrus wanker wapbbs warcraft warhammer warhammer40k warlock
warlord warrior warriors warthog wasser wassup watcher waterloo wazzkaprivet weasel webmaster websolutions websolutionssu webuivalidat
weed weezer weihnachtsbau weihnachtsbaum welcome welder werewolf westham westside westwood wetpussy whatever whatsup wheels whiskers
whiskey whisky whisper whitesox whitey whocares whore whosyourdaddy whynot wibble wicked wildcat wildcats wildfire wildman william1 willow
windows windsor winner winston winter wisdom wizard wolf359 wolfgang wolfie wolfman wolfpack wolverin wolverine wolves wombat woody
woofwoof woohoo wookie wordpass wrangler wrestlin wrinkle1 wutang xanadu xavier xbox360 xfiles xtreme xxx123 xxxp455w0rd5 yamaha yankee
yankees ybrbnf ybrjkfq yellow yfnfif yomama yosemite yourmom yousuck ytrewq yzerman z1x2c3 z1x2c3v4b5n6m7 zaphod zaq123 zaq12wsx zaq1xsw2
zaq1xsw2cde3 zaqwsx zaqwsxcderfv zaqxsw zcfvfzkexifz zenith zeppelin zerocool zeus zhong zidane ziggy zigzag zipper zippy zombie zorro
zqjphsyf6ctifgu zvezda zxasqw12 zxc123 zxcasd zxcasdqwe zxcv1234 zxcvbn zxcvbnm
`
    .trim()
    .split(/\s/),
);
