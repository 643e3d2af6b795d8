import { phrases } from '../../../datasets/phrases.ts';
import { EVERYDAY_MATTERS } from './everyday-matters.ts';

/**
 * Matters that people ask of a place and that no field tells, with everyday words for them, as fields have theirs. A clause that
 * names one of them better than any field is told so. English, then Spanish.
 */
export const MATTERS: Readonly<Record<string, readonly string[]>> = {
  // A building from inside.
  rooms: phrases(`
    bedrooms, bathrooms, baths, half bath, how many rooms, kitchen, closets, ceiling height, floor plan,
    finished basement, attic, laundry, square feet inside, square feet is the house, master suite, garage spaces, garage size, fireplace,
    cuartos, recámaras, dormitorios, habitaciones, cocina, square footage inside, gross living area,
    load-bearing, wheelchair accessible inside, wide doors, dock doors, clear span, planos de la casa
  `),
  'the age of the building': phrases(`
    year built, when was the house built, what year was the house built, 
    how old is the building, age of the house, built in what year, builder, original owner, remodeled, renovated,
    updated kitchen, en qué año se construyó, qué antigüedad tiene la casa, architect, style of the house,
    history of the house, previous residents, old photos, effective age, certificate of occupancy
  `),
  'the condition of the building': phrases(`
    condition of the roof, age of the roof, how old is the roof, new roof, roof replaced, roof leak, shingle,
    shingles, roof original, windows drafty, double glazing, insulation, foundation inspected, termite, termites,
    termite damage, mold, mildew, asbestos, lead paint, lead pipes, dry rot, squeaky floors, needs repairs, repairs,
    renovation cost, inspection report, home inspector find, warranty, moho, plomo, techo nuevo, goteras,
    frame or masonry, construction type, brick or wood, roof type, impact windows, storm shutters, hurricane straps,
    tie-downs, foundation type, slab or basement, septic tank age, septic pumped, where is the septic tank,
    sewer line condition, oil tank buried, buried oil tank, leaky roof, squeaks, smells musty, fixed yet, broken, repaired, repaved, pavement condition, riser inspected, inspector find,
    condition rating, paper thin walls, thin walls, addition permitted,
    drywall, behind the walls, damp walls, damp basement walls, humedad en las paredes, paredes, grietas,
    asbestos siding, windows replaced, redo the deck, chimney, sagging floor, smoke smell inside, furnace serviced,
    brand of the furnace
  `),
  'the equipment of the building': phrases(`
    furnace, boiler, wi-fi reach, alarm company, sprinkler riser, trampoline, roof deck, lockers, storm door, sauna, dock, boathouse, lift, intercom, heat pump, central air, hvac, water heater, plumbing, wiring, knob and tube, electrical panel,
    breaker box, amps, appliances, dishwasher, washer and dryer, smart home, alarm system, sprinkler system,
    swimming pool, hot tub, fence, deck, elevator, parking space, parking spots, parking garage, park an rv,
    rv parking, street parking, where do guests park, estacionamiento, alberca, calentador, sprinklers,
    smoke detectors, backup generator installed, solar panels owned, are the solar panels, propane tank size,
    water meter, ev charger installed, transformer size, dumpster, driveway paved, carport, shed size,
    irrigation system
  `),
  furniture: phrases(`
    furniture, couch, curtains, carpet, paint color, decorate, decor, wallpaper, feng shui
  `),
  'what goes on in the building': phrases(`
    haunted, ghost, ghosts, anyone die in the house, anybody die here, somebody killed, who was killed,
    murder in the house, stigmatized, meth lab, squatters, lease terms, move-in date, open house, who lives next door,
    embrujada, motivated seller, seller occupied by tenants, is the house empty now, lockbox, security deposit,
    pets in the building, heat included, utilities included, included in the rent, included in the sale,
    grow house, grow pot, crime scene, previous tenant, reason for selling, accept an offer, cash offer, offered cash,
    counteroffer, contingency
  `),
  // Money.
  'taxes owed': phrases(`
    property tax bill, property taxes, county tax, tax on panels, tax bill, taxes owed, taxes due, owe in taxes, back taxes, unpaid taxes,
    delinquent taxes, tax rate, mill rate, millage, sales tax, income tax, transfer tax, estate tax,
    homestead exemption, tax lien, pay in taxes, school tax rate, tax assessment appeal, impuestos, impuesto predial,
    predial, exemption, senior exemption, ag exemption, agricultural exemption, abatement, supplemental tax, tax deed,
    exención
  `),
  insurance: phrases(`
    insurance premium, premium, premiums, deductible, homeowners insurance, home insurance, insurance cost,
    cost of insurance, insurance quote, insurance run me, renters insurance, car insurance, health insurance,
    life insurance, title insurance, will anyone insure, insurance company drop, claims did the owner file,
    prior claims of the owner, policyholder, loss ratio, seguro de casa, cuánto cuesta el seguro, carrier insured,
    flood premium, insurance rates, underwriter approve, crop insurance, wind rating, hydrant, hydrants, fire hydrant,
    fire flow, hidrante
  `),
  loans: phrases(`
    mortgage, mortgage payment, monthly payment, loan, interest rate, interest rates, down payment, closing costs,
    refinance, credit score, foreclosure, foreclosed, bank owned, short sale, hipoteca, préstamo, enganche
  `),
  'the market': phrases(`
    asking price, list price, over asking, outbid, mls, has it been listed, comps closed, months of inventory, absorption rate, concessions, bid over, sell it for next, listing price, days on market, days on the market, zillow, zestimate, redfin, appraisal,
    appraiser, lowball, negotiate, bidding war, commission, realtor fee, cap rate, return on investment, roi,
    cash flow, rent roll, overpriced, fair price, worth in the future, worth in ten years, resale value,
    precio de lista, buen negocio, lease rate, lease per square foot, cash rent, rent per acre, land lease price,
    price per acre, comparable sales, recent sales nearby, sold nearby, competitor, foot traffic counts, sales volume,
    price per square foot
  `),
  prices: phrases(`
    price of corn, price of soybeans, price of cattle, price of milk, price of gas, gas prices, cost of living,
    price of groceries, ticket cost, fare, price of lumber, cost to build, construction cost, cost per square foot,
    cost of a fence, cost of a well, how much does a well cost, contractor charge, costo de vida, cost of internet,
    internet cost per month, internet bill, data cap, diesel price, toll, tolls, hotel price, tuition cost,
    price of water, cost of septic, cost to drill, sewer hookup cost, connection fee, tap fee, how much is bus fare,
    gallon of heating oil, heating oil price, price of propane, gallon of propane, cord of wood, price of firewood,
    price of eggs, price of a beer, hourly wage of a nanny, going rate to mow, going rate to plow
  `),
  'energy business': phrases(`
    recs, renewable energy credits, ppa price, power purchase agreement, net metering, curtailment, hosting capacity,
    avoided cost, average wait, study cost, interconnection study, lead times, string voltage, inverter, module, module brand,
    interconnection cost, rebate, rebates, subsidy, subsidies, carbon credits, payback, payback period,
    solar lease rate, lease per acre, locational marginal price, nodal price
  `),
  utilities: phrases(`
    monthly electric bill, water bill amount, how much is the water bill, utility bills, heating bill amount,
    electric bill, heating bill, water bill, light bill, trash pickup, garbage pickup, garbage day, garbage truck, trash day, garbage, trash, recycling, recycling bin,
    bulk pickup, compost pickup, leaf pickup, snow plowed by the town, street sweeping, mail delivered, mail delivery,
    mailbox, mailman, package theft, amazon deliver, packages, correo,
    yard waste, pick up yard waste, trash truck, instacart, grocery delivery, ups deliver, camión de la basura,
    basura, recogen la basura, cartero, paquetes
  `),
  'the quality of water': phrases(`
    hard water, how hard is the water, water hardness, water softener, water taste, water pressure, arsenic,
    lead in the water, fluoride, chlorine, pfas, forever chemicals, nitrates in the water, bacteria in the well,
    e coli, is the water safe to drink, safe to drink, drinkable, well water tested, water test, water quality report,
    brown water, water clean enough to swim, gallons per minute of the well, well yield, agua dura, agua limpia,
    agua potable segura,
    hard tap water, tap water taste, tap water smell, tap water stain, tap water safe, tap water clean,
    rotten egg smell, sulfur smell, stains, rust stains, iron in the water, discolored water, cloudy water,
    boil water notice, filter the water, sabe el agua, agua amarilla
  `),
  'telephone signal': phrases(`
    verizon signal, at&t, t-mobile, bars of signal, bars on my phone, signal inside the house, dropped calls,
    cell reception, cell service, roaming, land line, landline, satellite tv, cable tv, radio reception,
    señal de celular, comcast, xfinity, at&t fiber, starlink cost, which internet provider, best internet provider, customer service, nicest customer service,
    tower belongs, whose tower,
    internet outages, internet outage, internet drops, internet cuts out, how often internet, internet reliable,
    router, spectrum internet, spectrum or frontier, centurylink, hughesnet, internet company reliable,
    internet falla
  `),
  // Law.
  title: phrases(`
    lien, liens, encumbrance, encumbrances, clear title, title search, title company, deed restriction,
    deed restrictions, quitclaim, probate, heirs, inherited, lawsuit, lawsuits, litigation, judgment, sue,
    adverse possession, suing, sued, revocable trust, beneficiaries, grantor, grantee, signature, bankruptcy, seller financing, terms of the sale,
    right of way revert, abutters, easement broken, lis pendens, closing date, mineral rights, oil rights, water rights, timber rights, air rights, hunting rights,
    right of first refusal, utility easement, driveway easement, shared driveway, property line, boundary dispute,
    survey, surveyor, corner pins, encroach on the line, gravamen, escrituras,
    inherit, inherits, who inherits, owner dies, rid of a name on the deed, unpaid contractor, quiet title,
    power of attorney, divorce decree, hereda, herederos
  `),
  'rules of a town': phrases(`
    ordinance, ordinances, bylaw, bylaws, building code, fire code, variance, setback, setbacks, side lot lines,
    height limit, lot coverage limit, burn ban, burning allowed, open burning, noise ordinance, curfew, leash law,
    dogs allowed, pets allowed, pet policy, allow pets, shoot a gun, fireworks, permit cost, cost of a permit,
    permit fee, permit fees, how long does a permit take, permit office, open permits, open permit, code violation,
    code violations, violations, inspections required, historic commission approval, impact fees,
    short-term rental license, license, speed limit, parking rules, marijuana, cannabis, liquor license, ordenanza,
    cuánto cuesta el permiso, límite de velocidad, floor area ratio, parking minimum, parking requirements,
    building envelope, zoning hearing, rezoning hearing, planning commission, planning board, permit history,
    occupancy permit, how close to the line, how tall can i build, how many stories allowed, lot line, fence height,
    tree ordinance, cut down trees, drone rules, hunting allowed, camping allowed, live in an rv, camper,
    grass height, tall grass, airbnb, vrbo, short-term rental, parking permit, noise complaint, quiet hours,
    building permit cost, multa, multas
  `),
  'an association': phrases(`
    hoa, hoa dues, hoa fees, hoa rules, homeowners association, homeowners' association, condo fees,
    condo association, covenants, ccrs, dues, special assessment, clubhouse, gated community, association fee,
    cuota de mantenimiento
  `),
  law: phrases(`
    law, laws, state law, local laws, county law, legal advice, lawyer, attorney, squatters rights, eminent domain, condemned, eviction, evictions,
    evicted, rent control, tenant rights, judge, court case, statute, ley, leyes, abogado, desalojo
  `),
  // People.
  crime: phrases(`
    crime, crime rate, crimes, criminal, safe neighborhood, safe to walk at night, is it a safe street, burglary,
    burglaries, break-ins, break ins, car break-ins, robbery, robberies, theft, stolen, steal, thieves, murder,
    murders, homicide, shooting, shootings, gunshots, gangs, gang, drugs, drug dealers, sex offender, sex offenders,
    vandalism, graffiti, assault, violence, violent, arrests, prison, jail, homeless, lock my doors, crimen, robos,
    robo, delincuencia, seguro el barrio, barrio seguro, peligroso de noche, pandillas, sirens, panhandlers,
    encampment, safe for women, safe for kids, safe for children, neighborhood watch, kidnapping, sketchy,
    rough part of town, bad part of town, stabbing, carjacking, mugged, mugging, police reports, calls to police,
    zona segura, peligrosa la zona,
    burgled, burglarized, robbed, catalytic converter, porch pirates, police respond, police response time, loitering,
    drug house, meth, ladrones, asaltos
  `),
  'the quality of schools': phrases(`
    test scores, school scores, school rating, school ratings, good schools, schools any good, are the schools good,
    school ranking, greatschools, graduation rate, class size, class sizes, teachers, teacher ratio, school lunch,
    special education, gifted program, school sports, private school, catholic school, charter school, montessori,
    homeschool, tuition, spots open, enrollment, school start time, buenas escuelas, calificaciones, good school,
    school any good, school bus route, bus time, school lottery, waitlist, students per teacher, college acceptance,
    bullying, school uniforms, valedictorian, football team,
    act averages, act scores, sat scores, ap classes, principal, school reputation, homeschooled, truancy, dropouts,
    maestros, good teachers
  `),
  'child care': phrases(`
    daycare, day care, preschool, babysitter, nanny, child care, childcare, summer camp, guardería, niñera
  `),
  neighbors: phrases(`
    neighbors nice, friendly, nice to, nice to work with, treat people, good person, buena persona, tratan bien, friendly neighbors, quiet people, noisy neighbors, neighbor dog, barking, barking dogs,
    parties, party, party house, kids on the block, kids to play with, young families, families with kids,
    community feel, sense of community, welcoming, gossip, vecinos amables, ruidosos vecinos, pleito, chismes,
    fiestas, music, loud music, concert, concerts, leaf blower, neighbor's trees, neighbor fight, feud,
    weird neighbors, neighbor build, hoarder, stray dogs, rooster crow, frat, fraternity, block party, vecino pelea,
    música,
    buena onda, onda, buena gente, nosy, drums, clannish, snobby, stuck up, rude, nice people, keep to themselves,
    newcomers welcome, bar keep up, amables, chismosos
  `),
  'who the people are': phrases(`
    race, racial, ethnicity, ethnic, white people, asian, hispanic, religion, religious, catholic, jewish, mormon,
    muslim, median age, age of the people, retirees, seniors, household size, married, single women, college degree,
    educated, education level, speak spanish, languages spoken, language spoken at home, immigrants, foreign born,
    veterans, disabled, birth rate, life expectancy, gay friendly, lgbt, raza, religión, idiomas,
    average age, age distribution, how old is the owner, how old are the neighbors, children in the neighborhood, how many kids, widowed, divorced, sexual orientation,
    income by race, homelessness, uninsured, health insurance coverage, literacy, crime victims
  `),
  politics: phrases(`
    vote, voted, voters, election, elections, republican, republicans, democrat, democrats, liberal, conservative,
    trump, biden, red or blue, precinct vote, mayor, city council, council member, governor, sheriff elected,
    polling place, where do i vote, ballot, alcalde, elecciones, votaron,
    school bond, bond vote, bond issue, referendum, ballot measure, yard signs, political signs, lawmakers,
    representatives vote
  `),
  work: phrases(`
    unemployment, unemployment rate, jobless, biggest employer, minimum wage, average commute, commute time,
    how long is the commute, traffic at rush hour, unions, poverty rate, bankruptcies, desempleo,
    cuánto se tarda al trabajo, job openings, nurse salary, teacher salary, truck drivers pay, bus to work how long,
    traffic lights, traffic accident, traffic accidents, car accidents, crashes, accidents on this road,
    dangerous intersection, potholes, sidewalk, sidewalks, bike lane, bike lanes, street lights, streetlight,
    speed bumps, crosswalk, road construction, accidentes, banquetas
  `),
  help: phrases(`
    plumber, plumbers, electrician, contractor, contractors, roofer, handyman, landscaper, mow the lawn,
    house cleaner, realtor, real estate agent, mover, movers, storage unit, good lawyer, phone number, contact number,
    email address, website, opening hours, hours open, plomero, electricista, contratista, número de teléfono,
    well pump fixed, pump repair, well driller, repairman, feet of casing, hammer bit, drill bit, geophysical logs, well logs, depth to drill cost, call to get, repair shop, bushhog, brush hog, plow my driveway,
    tree service, exterminator, chimney sweep, locksmith, interpreter, albañil, jardinero
  `),
  'how places are run': phrases(`
    waiting list, wait list, swim lessons, lessons, wait for a table, menu, happy hour,
    open on sunday, open late, season pass, appointment, appointments, visiting hours, tickets,
    membership, enroll, dress code, lista de espera, clases, cita
  `),
  // What lies around and that nobody maps here.
  'places of other kinds': phrases(`
    church, churches, mosque, synagogue, temple, gym, yoga, golf course, golf, ski resort, movie cinema, bowling,
    museum, library, zoo, nightclub, brewery, winery, shopping mall, mall, costco, target, trader joe, home depot,
    starbucks, mcdonalds, pizza, chinese food, deliver food, food delivery, doordash, dentist, vet, veterinarian,
    nursing home, assisted living, retirement home, post office, bank branch, atm, gas station, car wash, mechanic,
    hair salon, barber, cemetery, casino, gun range, shooting range, strip club, farmers market, playgroup, taxi,
    uber, lyft, rental car, iglesia, gasolinera, gimnasio, dentista, pizzería, dmv, courthouse, city hall, town hall,
    town dump, transfer station, recycling center, laundromat, hardware store, feed store, marina, campground, motel,
    beach access, boat ramp, trailhead, waterfall, hot spring, liquor store, dispensary, pawn shop, pediatrician,
    optometrist, vet clinic, animal shelter, tackle shop, bait shop, sushi, bakery, barbecue, tacos, vegan,
    coffee roaster, brewery nearby, music venue, arcade, skate park, rock climbing, tennis club, country club,
    truck stop, truck parking, park a semi, park my truck, park overnight, bookstore, scout troop, tintorería, lavandería, panadería, notario
  `),
  'sights and nuisances': phrases(`
    view, views, ocean view, mountain view, sunset, sunrise, stars, milky way, dark sky, light pollution,
    northern lights, night sky, pig farm, hog farm, chicken farm, feedlot, manure, odor from a farm, slaughterhouse,
    gravel trucks, development planned next door, church bells, rooster, bugs, spiders, beautiful, charming, ugly,
    cute, vibe, vista, estrellas, sunlight in the kitchen, sun in the living room, shade from the neighbor,
    street noise inside, train whistle banned, buried treasure, graves, graveyard, arrowheads, artifacts, ufo, scenic,
    photogenic, cosy, cozy, peaceful vibe, romantic,
    stinky, paper mill, rendering plant, apesta, afternoon light, natural light, light in the kitchen
  `),
  animals: phrases(`
    armyworms, stinkbugs, locusts, aphids, mites, grasshoppers, beetles, worms, leeches, hornets, butterflies, hummingbirds, songbirds, owls,
    eagles nest, hawks, moose, rabbits, squirrels, beavers, muskrats, otters, minks, porcupines, turtles, frogs, toads, lizards, iguanas,
    pythons, crabs, lobsters, clams, oysters, jellyfish, salmon, pike, perch, foulbrood, apiaries, stray cattle, hostas eaten,
    deer, bears, bear, snakes, rattlesnakes, coyotes, wolves, mountain lion, mountain lions, alligators, gators,
    sharks, ticks, lyme, lyme disease, mosquitoes, mosquitos, bugs bad, ants, fire ants, roaches, rats, mice,
    raccoons, bedbugs, bees, wasps, what birds, fishing any good, good fishing, bass, trout in it, elk, turkey, ducks,
    hunting any good, hunting season, garrapatas, víboras, mosquitos bravos, osos,
    feral cats, stray cats, rottweiler, pit bull, pit bulls, copperheads, copperhead, water moccasin, black widow,
    scorpions, bobcats, foxes, skunks, geese, gophers, groundhogs, wild hogs, walleye, catfish, crappie,
    stocked with fish, perros sueltos, alacranes
  `),
  'plants and yields': phrases(`
    round bales, bales per acre, sugar maples, sap, syrup, nectar, pollen flow, honey supers, basswood, clover, wildflowers, bloom, blooms, blooming,
    warm enough to plant, soil warm enough, glyphosate, roundup ready, seed dealer, grain elevator price, steers, heifers, calves, lambs, hogs,
    tomatoes grow, vegetables, orchard yield, vineyards, hops, hemp, cannabis grow, manzanas, cosecha,
    bushels, bushels per acre, yield, yields, crop yield, how many cattle, cattle per acre, animal units,
    stocking rate, carrying capacity, cows per acre, acres per cow, tons of hay, fertilizer, lime the soil, ph,
    soil ph, organic matter, nitrogen, phosphorus, potassium, nutrients, pesticide, pesticides, herbicide, salinity,
    invasive plants, weeds, poison ivy, poison oak, mushrooms, seed, seeds, timber value, board feet,
    value of the timber, oak or maple, species of trees, irrigation rights, drain tile, tile map, abono, semillas,
    rendimiento, soil test, cation exchange, cec, base acres, crp, crop rotation, last frost date, first frost date,
    planting date, goats per acre, horses per acre, honey yield, wine grapes quality, timber cruise, ginseng,
    truffles, fecha de siembra,
    sour soil, soil sour, acidic soil, acid soil, alkaline soil, soil acidity, blueberries, azaleas, compost,
    tierra ácida
  `),
  weather: phrases(`
    forecast, weather tomorrow, weather this weekend, humidity, humid, how humid, dew point, fog, foggy, pollen,
    allergies, uv index, high tide, low tide, tide times, tides, water temperature, ocean temperature, road closed,
    aqi, wind chill, moon, pronóstico, polen, tornado warning, smoke today, fire burning now,
    river gauge, river level today, lake level today, lake level, ice thickness, burn ban today, sea temperature,
    rip current, wave height, surf report, leaf season, fall color, cherry blossoms, hurricane season next earthquake,
    next eruption, alerta
  `),
  health: phrases(`
    cancer cluster, cancer rates, disease, asthma rates, covid, flu, doctors taking patients, hospital rating,
    good hospital, hospital any good, wait time, vaccination, nursing, overdose, fentanyl, allergist,
    mental health, therapist, specialist doctor, hospital beds, life flight, ambulance cost, deaths, how many died,
    how many people died, drownings, suicide, noise and health, radiation in the house, emf level, muertes,
    nurses, nurse, pediatrician booked, er wait, wait at the emergency room, bedside manner, specialists,
    medicaid accepted, enfermeras
  `),
  'what will be': phrases(`
    new warehouse bring, after the reval, pass the bill, next election, next session, when will the council, be approved, get approved,
    likely to grant, break ground, opening date, grand opening, going out of business,
    future value, planned road, new highway planned, masterplan, new school planned, evacuation route,
    evacuation routes, emergency shelter, storm shelter location, warning siren, bridge planned, bypass planned,
    master plan, comprehensive plan amendment, new stadium, new walmart coming, redevelopment plan,
    worth someday, worth by the time, next crash, housing bubble, plusvalía
  `),
  ...EVERYDAY_MATTERS,
  nothing: phrases(`
    password, passwords, poem, joke, super bowl, recipe, recipes, lottery, horoscope, stock price, are you a bot,
    weather on mars, asteroid, asteroids, aliens, zombie, bigfoot, meaning of life, contraseña, chiste
  `),
};
