import { catalog } from '../../../datasets/catalog.ts';
import type { VerdictWords } from '../../../datasets/verdict.ts';

/**
 * The words of verdict rules in Spanish: field = matter | yes | no | what settles it.
 */
const VERDICTS = `fema_flood_zone=el lugar está en una zona especial de inundación|El lugar está en la zona de inundación {value}, donde los bancos exigen seguro|El lugar está en la zona de inundación {value}, fuera de las zonas especiales|un certificado de elevación de un agrimensor
within_floodplain_polygon=el lugar está en una zona especial de inundación|El lugar está dentro de una zona especial de inundación, donde los bancos exigen seguro|El lugar no está en ninguna zona especial de inundación del mapa|un certificado de elevación de un agrimensor
within_regulatory_floodway=el lugar está en el cauce regulado|El lugar está en el cauce regulado, donde casi todo relleno está vedado|El lugar no está en el cauce regulado|la oficina local de inundaciones
coastal_high_hazard=las olas de tormenta llegan al lugar|El lugar está en una zona costera de olas de tormenta|El lugar no está en una zona costera de olas de tormenta|un certificado de elevación de un agrimensor
within_500yr_floodplain=el lugar está en la llanura de inundación de 500 años|El lugar está en la llanura de inundación moderada, donde el seguro es voluntario|El lugar no está en la llanura de inundación moderada|un estudio local
within_levee_protected_area=un dique protege el lugar|El lugar está detrás de un dique, del que depende su seguridad|El lugar no está en un área protegida por un dique|el certificado del dique
within_nwi_wetland=el lugar es un humedal|El lugar está dentro de un humedal del mapa|El lugar no está en ningún humedal del mapa|una delimitación de humedales
within_nhd_waterbody=el lugar está en un lago|El lugar está dentro de un lago o estanque del mapa|El lugar no está en ningún lago o estanque del mapa|una visita en época de lluvias
intersects_nhd_area=el lugar está entre las orillas|El lugar está entre las orillas de un cauce ancho|El lugar no está entre las orillas de un cauce|una medición de la orilla
within_critical_habitat=el lugar es hábitat crítico|El lugar está dentro de un hábitat crítico|El lugar no está en un hábitat crítico|la oficina federal de fauna
within_protected_area=el lugar es área protegida|El lugar está dentro de un área protegida|El lugar no está en un área protegida del mapa|la oficina que administra la tierra
within_conservation_easement=una servidumbre de conservación obliga al lugar|El lugar está dentro de una servidumbre de conservación, que obliga a todo dueño|El lugar no está en una servidumbre de conservación del mapa|la escritura registrada
within_federal_land=el lugar es tierra federal|El lugar está dentro de tierra federal|El lugar no está en tierra federal|el registro de tierras
within_tribal_land=el lugar es tierra tribal|El lugar está dentro de tierra tribal|El lugar no está en tierra tribal|la oficina de tierras de la tribu
within_incorporated_place=el lugar está en una ciudad|El lugar está dentro de una ciudad, que decide la zonificación|El lugar no está en ninguna ciudad, y decide el condado|el registro del condado
within_historic_wildfire_perimeter=el lugar se ha quemado|El lugar está dentro del perímetro de un incendio pasado|El lugar no está en el perímetro de un incendio pasado|el registro estatal de incendios
within_karst_area=pueden abrirse hundimientos|El lugar está en un área de karst, donde pueden abrirse hundimientos|El lugar no está en un área de karst del mapa|un estudio geotécnico
within_ozone_nonattainment_area=falta aire limpio de ozono|El lugar está en un área que incumple la norma de ozono|El lugar no está en un área que incumple la norma de ozono|la agencia estatal del aire
within_pm25_nonattainment_area=falta aire limpio de polvo fino|El lugar está en un área que incumple la norma de polvo fino|El lugar no está en un área que incumple la norma de polvo fino|la agencia estatal del aire
broadband_fiber_available=hay fibra|Hay fibra hasta la casa en la manzana censal|No hay fibra hasta la casa en la manzana censal|un pedido al proveedor
in_opportunity_zone=el tramo es zona de oportunidad|El tramo censal es una zona de oportunidad|El tramo censal no es una zona de oportunidad|un asesor fiscal
energy_community_coal_closure=el tramo es comunidad energética|El tramo censal es comunidad energética por cierre de carbón|El tramo censal no es comunidad energética por cierre de carbón|un asesor fiscal
energy_community_statistical_area=el área es comunidad energética|El condado está en un área que es comunidad energética|El condado no está en un área que es comunidad energética|un asesor fiscal
building_at_point=hay un edificio|Un edificio del mapa cubre el punto|El punto no está cubierto por ningún edificio del mapa|una foto aérea reciente
slope_percent=la ladera es empinada|La ladera es empinada, con una pendiente de {value}|La pendiente es de {value}, que se puede trabajar|un plano topográfico
slope_degrees=la ladera es empinada|La ladera es empinada, con una pendiente de {value}|La pendiente es de {value}, que se puede trabajar|un plano topográfico
parcel_zoning=la parcela está zonificada|La parcela tiene la zonificación {value}, y lo que se puede construir está en las reglas de ese distrito|La parcela no tiene zonificación|la oficina de zonificación
nearest_sfha_distance_m=el lugar está en una zona especial de inundación|El lugar está junto a una zona especial de inundación|La zona especial de inundación más cercana está a {value}|un certificado de elevación de un agrimensor
soil_hydrologic_group=el suelo escurre casi toda la lluvia|El suelo es del grupo hidrológico {value}, y casi toda la lluvia escurre|El suelo es del grupo hidrológico {value}|una prueba de infiltración
soil_drainage_class=el suelo queda mojado|El drenaje del suelo es {value}, y se espera terreno mojado|El drenaje del suelo es {value}|la visita de un edafólogo
soil_depth_to_bedrock_cm=la roca encarece excavar|La roca está a {value} de profundidad, tan cerca que encarece excavar|La roca está a {value} de profundidad|una calicata
soil_depth_to_water_table_cm=el nivel freático es alto|El nivel freático es alto, a {value} de profundidad en el mes más húmedo|El nivel freático está a {value} de profundidad en el mes más húmedo|una calicata en primavera
soil_flooding_frequency=el suelo muestra que se inunda|La frecuencia de inundación del suelo es {value}, y el terreno se inunda|La frecuencia de inundación del suelo es {value}|la visita de un edafólogo
soil_farmland_class=el suelo es de primera para cultivos|La clase de tierra agrícola es {value}, que puede limitar su conversión|La clase de tierra agrícola es {value}|la oficina de conservación del condado
soil_steel_corrosion_risk=el suelo corroe el acero|El suelo corroe el acero: el riesgo es {value}|El riesgo de que el suelo corroa el acero es {value}|una prueba de resistividad
soil_concrete_corrosion_risk=el suelo ataca el concreto|El suelo ataca el concreto: el riesgo es {value}|El riesgo de que el suelo ataque el concreto es {value}|una prueba de sulfatos
soil_linear_extensibility_percent=la arcilla se hincha|La arcilla se hincha: el suelo se expande {value}|El suelo se expande {value}|un informe geotécnico
soil_septic_limitation=una fosa séptica necesita ingeniería|El suelo es {value} para fosas sépticas, y el sistema debe diseñarse|El suelo es {value} para fosas sépticas|una prueba de percolación
slope_under_5pct_fraction_1km=hay bastante tierra llana|Hay tierra llana alrededor: {value}|La tierra llana es escasa alrededor: {value}|un plano topográfico
height_above_nearest_stream_m=el terreno es bajo junto al arroyo|El terreno es bajo, a {value} sobre el arroyo más cercano|El terreno está a {value} sobre el arroyo más cercano|una nivelación
nearest_critical_habitat_distance_m=hay hábitat crítico cerca|El hábitat crítico más cercano está a {value}, tan cerca que puede haber preguntas|El hábitat crítico más cercano está a {value}|la oficina federal de fauna
nearest_wetland_distance_m=el lugar está en la franja de un humedal|El humedal más cercano está a {value}, dentro de la franja de muchas normas|El humedal más cercano está a {value}|una delimitación de humedales
protected_area_gap_status=el área protegida se cierra a la construcción|La clase GAP es {value}, que cierra el área a casi toda construcción|La clase GAP es {value}, que permite algunos usos|el plan del área
transportation_noise_dba=el ruido es excesivo para una casa|El ruido del tránsito es de {value}, inaceptable para una casa|El ruido del tránsito es de {value}|una medición en la casa
nearest_grocery_store_distance_m=hay comestibles cerca|La tienda de comestibles más cercana está a {value}, cerca para una ciudad|La tienda de comestibles más cercana está a {value}, lejos para una ciudad|un mapa al día
nearest_nuclear_plant_distance_m=el lugar está en la zona de emergencia de una planta nuclear|La planta nuclear más cercana está a {value}, y el lugar en su zona de emergencia|La planta nuclear más cercana está a {value}, y el lugar fuera de su zona de emergencia|el mapa estatal de emergencias
nearest_natural_gas_pipeline_distance_m=hay un gasoducto cerca|El gasoducto más cercano está a {value}, tan cerca que conviene consultar a su operador|El gasoducto más cercano está a {value}|una llamada a los localizadores de tuberías
broadband_max_download_mbps=internet es bastante rápido|La descarga más rápida que se ofrece es de {value}|La descarga más rápida que se ofrece es de {value}, poco para las ayudas federales|una prueba de velocidad en la casa
surface_water_supply_use_index_huc12=falta agua en los meses secos|El agua falta en los meses secos: el índice de uso es {value}|El índice de uso del agua es {value}|la oficina estatal del agua
nearest_groundwater_well_depth_to_water_m=el agua subterránea está cerca|El agua subterránea está cerca, a {value} de profundidad en el pozo más cercano|El agua subterránea está a {value} de profundidad en el pozo más cercano|un pozo de prueba
parcel_match_type=el punto está en la parcela|La parcela se halló por {value}|El punto no está en ninguna parcela, y los valores son de la más cercana|un plano de parcelas
wetland_fraction_of_parcel=los humedales deciden qué cabe en la parcela|Los humedales cubren {value} de la parcela, y deciden qué cabe en ella|Los humedales cubren {value} de la parcela|una delimitación de humedales
wetland_acres_on_parcel=rellenar el humedal pide un permiso propio|El humedal de la parcela mide {value}, y rellenarlo pide un permiso propio|El humedal de la parcela mide {value}|una delimitación de humedales
solar_ghi_kwh_per_m2_day=hay bastante sol para paneles|Hay bastante sol para paneles: {value}|El sol es escaso para paneles: {value}|un estudio de rendimiento
wind_speed_100m_m_per_s=el viento alcanza para un parque|El viento alcanza para un parque: {value}|El viento es débil para un parque: {value}|un año de mediciones en una torre
nearest_tri_facility_distance_m=hay una planta con emisiones tóxicas cerca|La planta con emisiones tóxicas más cercana está a {value}, tan cerca que conviene revisarlas|La planta con emisiones tóxicas más cercana está a {value}|una evaluación ambiental
nearest_superfund_site_distance_m=hay un sitio contaminado cerca|El sitio contaminado más cercano está a {value}, tan cerca que conviene una evaluación|El sitio contaminado más cercano está a {value}|una evaluación ambiental
radon_zone=el radón es probable|El condado está en la zona de radón {value}, donde las casas se protegen de él|El condado está en la zona de radón {value}|una prueba de radón de la casa
elevation_above_base_flood_m=el terreno está bajo el nivel de inundación|El terreno está {value} bajo el nivel de inundación|El terreno está {value} sobre el nivel de inundación|un certificado de elevación de un agrimensor
sfha_fraction_within_500m=una inundación puede aislar el lugar|Las zonas especiales de inundación cubren {value} del terreno alrededor, y pueden aislar el lugar|Las zonas especiales de inundación cubren {value} del terreno alrededor|el camino de acceso en el mapa de inundación
nri_risk_rating=los riesgos naturales pesan|El riesgo natural del tramo censal es {value}, de los altos del país|El riesgo natural del tramo censal es {value}|un estudio de cada riesgo
storm_surge_cat3_depth_m=la marejada de un huracán llega al lugar|La marejada de un huracán tendría {value} de profundidad|La marejada de un huracán dejaría seco el lugar, con {value} de profundidad|el mapa de evacuación del condado
nearest_wildfire_perimeter_distance_m=ha habido incendios cerca|El incendio pasado más cercano está a {value}, tan cerca que los seguros preguntan|El incendio pasado más cercano está a {value}|el registro estatal de incendios
sea_level_rise_lowest_inundating_ft=el mar llega al lugar en la vida de un edificio|Una subida del mar de {value} llegaría al lugar|El mar llegaría al lugar con una subida de {value}|una nivelación
hail_max_size_in_within_40km=el granizo rompe techos|El mayor granizo registrado mide {value}, y rompe tejas|El mayor granizo registrado mide {value}|una inspección del techo
wui_class=el lugar es borde con vegetación silvestre|La clase de borde con vegetación silvestre es {value}, donde muchas normas piden casas resistentes al fuego|La clase de borde con vegetación silvestre es {value}|la oficina local de construcción
nearest_dam_hazard_potential=una falla de la presa pone vidas en peligro|El peligro de la presa más cercana es {value}, y su falla pone vidas en peligro|El peligro de la presa más cercana es {value}|el mapa de inundación de la presa
drought_category=la sequía es severa|La categoría de sequía es {value}, con límites de riego|La categoría de sequía es {value}|el mapa de sequía de la próxima semana
wildfire_hazard_potential_class=un incendio sería difícil de contener|El peligro de incendio es {value}, y un incendio sería difícil de contener|El peligro de incendio es {value}|una inspección de la vegetación
wildfire_burn_probability=un incendio es probable|Un incendio es probable: {value}|La probabilidad de incendio es {value}|una inspección de la vegetación
wildfire_conditional_flame_length_m=un incendio sería demasiado para una cuadrilla|Las llamas tendrían {value} de largo, demasiado para una cuadrilla|Las llamas tendrían {value} de largo, poco para una cuadrilla|una inspección de la vegetación
wildfire_exposure_type=un incendio puede llegar a una casa|La exposición al incendio es {value}, y puede llegar a una casa|La exposición al incendio es {value}|una inspección de la vegetación
seismic_pga_2pct_50yr_g=los sismos deciden el diseño|La aceleración sísmica es {value}, y decide el diseño|La aceleración sísmica es {value}, y otras cargas deciden el diseño|un informe geotécnico
seismic_s1_g=rige el diseño sísmico más estricto|El valor sísmico es {value}, y rige el diseño más estricto|El valor sísmico es {value}|un informe geotécnico
nearest_quaternary_fault_distance_m=hay una falla activa cerca|La falla más cercana está a {value}, tan cerca que conviene un geólogo|La falla más cercana está a {value}|un estudio de la falla
landslide_susceptibility_index=las laderas pueden deslizarse|El índice de deslizamientos es {value}, y conviene un estudio de estabilidad|El índice de deslizamientos es {value}, que es bajo|un estudio de estabilidad`;

/** Verdicts in Spanish by field: those above, and what rules say themselves. */
export const SPANISH_VERDICTS: ReadonlyMap<string, VerdictWords> = new Map([
  ...VERDICTS.split('\n').map(line => {
    const [field, words] = line.split('=') as [string, string];
    const [matter, yes, no, settledBy] = words.split('|') as [string, string, string, string];
    return [field, { matter, yes, no, settledBy }] as const;
  }),
  ...[...catalog.fields.values()].flatMap(({ name, verdict }) =>
    verdict?.spanish ? [[name, verdict.spanish] as const] : [],
  ),
]);
