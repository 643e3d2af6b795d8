import { phrases } from '../../../datasets/phrases.ts';

/** Words for things, trades and doings of everyday life that no field tells, by what they are. English, then Spanish. */
export const EVERYDAY_MATTERS: Readonly<Record<string, readonly string[]>> = {
  'things in a house': phrases(`
    refrigerator, fridge, freezer, oven, stove, microwave, toaster, vacuum, sofa, mattress, bathtub, shower stall, toilet, faucet, chandelier,
    blinds, hardwood, hardwood floors, countertop, countertops, cabinets, pantry, staircase, balcony, patio, skylight, gutters, paint,
    painted, garage, workshop, thermostat, fuse box, tankless, heater, ceiling fan, doorbell, lightbulb, insulated, hvac filter, attic fan, sump pump,
    bookshelf, bunk bed, bed frame, remote control, television, laptop, printer, charger cable, phone plan, netflix, shutters, front door, color are, living room, bright is the living room, door knob, roomy, hallway, upstairs, downstairs, master bedroom, nevera, refrigerador,
    estufa, lavadora, cochera, muebles, colchón
  `),
  'what people do': phrases(`
    teach, teaches, taught, lay off, laid off, layoffs, audited, audit, cheat, hiding,
    hide something, marry, divorce, fought, battle, injured, arrested, promised, apologize, cook, cooks, babysit, deliver pizza, paint the house, shovels,
    mow, sing, dance, drink at, smoke, smokes, gamble, volunteer, retire from, strike, on strike, bribe, bribed, scam, scammed, brag, cosign,
    finance, financed, lend, lends, borrow, donate, donated, tip the, owe, owes, haggle, bid on, win the, won the, lose the game, contrata, contratan, despidió
  `),
  trades: phrases(`
    chef, waiter, bartender, barista, priest, pastor, rabbi, imam, detective, librarian, accountant, banker, broker, carpenter, painter, mason,
    welder, tailor, coach, tutor, surgeon, midwife, pilot, astronaut, trainer, stylist, butler, maid, janitor, superintendent, super, notary,
    butcher, baker, jeweler, photographer, journalist, celebrity, actor, singer, influencer, ranger hiring, soldiers, troops, quien limpia,
    maestra, cura, sacerdote, cocinero, notario público
  `),
  food: phrases(`
    tomatoes, potatoes, burger, burgers, steak, bread, milk, cheese, ice cream, beer, wine list, cocktails, brunch, breakfast, pancake, pancakes,
    dinner, freshest, fish fry, seafood, salad, sandwich, donuts, bagel, bagels, kosher, halal, gluten, organic food, honey, spices, snacks,
    desayuno, hamburguesa, cerveza, leche
  `),
  'sports and leisure': phrases(`
    soccer, baseball, basketball, hockey, tennis, pickleball, volleyball, league, little league, choir, marching orchestra, ballet, karate,
    theater, theatre, festival, parade, carnival, rodeo, karaoke, trivia, bingo, knitting, book club, comic, video games, skiing, surfing, sledding,
    kayak rental, boat rental, bike rental, horseback lessons, swim team, summer league, fútbol, béisbol, feria, desfile
  `),
  'pets and stock': phrases(`
    goats, goat, llama, llamas, alpaca, alpacas, pigs, piglets, hens, chickens, roosters, puppy, puppies, kitten, kittens, parrot, hamster, breed,
    breeder, kennel, dog breed, leash, veterinary, farrier, stallion, bull, donkeys, peacocks, hives for rent, queen breeder, gallinas, cabras, cachorros, perros bravos
  `),
  history: phrases(`
    story behind, start from a campfire, who started the fire, knocked down, how many homes destroyed, first owner, built the road, dug by, plow zone,
    pottery, munitions, indian trail, turnpike, homestead, mill stood, schoolhouse, train station here, 
    civil war, revolutionary war, massacre, treaty signed, settlers, first settlers, pioneers, founded, founder, name the street after, mission standing, plantation,
    slaves, slavery, ruins, burial, burials, bones, skeleton, skeletons, fossils, dinosaur, native village, camped, ancestors, shipwreck, gold rush, ghost town,
    used to stand, stood here, once stood, stone wall, historia del lugar, ruinas, fundó, tesoro
  `),
  'papers and money': phrases(`
    paying on time, late with a payment, deposit required, sin papeles, depósito, draft a message, send me photos, mls listing, minutes of the meeting,
    town meeting, last meeting, paid in cash, cash or, walk score, bike score, transit score, wages of the, get paid, hazard pay, salary of, beneficiary,
    invoice, refund, coupon, discount, bonus, pension, dividend, bitcoin, irs, bank account, credit card, credit check, escrow, earnest money,
    affidavit, subpoena, witness, alimony, custody, visa, passport, green card, parole, bail, receipt, contract signed, offer letter, bottom line, elevation certificate,
    disclosure, seller disclosure, will and testament, headlines, newspaper, article about, reviews, review, yelp, facebook, nextdoor, instagram, photos, listing photos,
    pictures of the, contrato, factura, reembolso, periódico, fotos
  `),
  vehicles: phrases(`
    pickup truck, minivan, motorcycle, scooter, tires, oil change, license plate, inspection sticker, weigh station, trailer hitch, moving truck, tow truck, shuttle,
    limousine, jets does, fighter jets, helicopter tour, cruise ship, ferry schedule, train schedule, bus schedule, timetable, next train, next bus, cargo, freight rates, dispatcher,
    horario, boleto
  `),
  'bodies and minds': phrases(`
    medicine, prescription, prescriptions, surgery, vaccine, diabetes, pregnant, rehab, hospice, medicaid, medicare, cancer, migraines, blood pressure, my back hurts,
    depression, lonely, happy, happier, boring, in jealous, embarrassed, afraid of the neighbors, feliz, aburrido, embarazada, receta médica
  `),
  gear: phrases(`
    tractor, mower, combine, chainsaw, drone, fly a drone, telescope, generator size, pump size, panel brand, brand, brands, model number, topsoil, mulch, gravel price,
    seed wheat, herbicides, neonics, insecticide, sprayer, trailer rental, tool rental, marca, tractor rental, lead time, breaker position, hosting
  `),
};
