/**
 * The words of verdict rules in Spanish: field = matter | yes | no | what settles it. Without words of its own a value that is no
 * yes-or-no is told as such.
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
broadband_fiber_available=hay fibra|Hay fibra hasta la casa en la manzana censal|El proveedor de fibra no existe en la manzana censal|un pedido al proveedor
in_opportunity_zone=el tramo es zona de oportunidad|El tramo censal es una zona de oportunidad|El tramo censal no es una zona de oportunidad|un asesor fiscal
energy_community_coal_closure=el tramo es comunidad energética|El tramo censal es comunidad energética por cierre de carbón|El tramo censal no es comunidad energética por cierre de carbón|un asesor fiscal
energy_community_statistical_area=el área es comunidad energética|El condado está en un área que es comunidad energética|El condado no está en un área que es comunidad energética|un asesor fiscal
building_at_point=hay un edificio|Un edificio del mapa cubre el punto|El punto no está cubierto por ningún edificio del mapa|una foto aérea reciente
slope_percent=la ladera es empinada|La ladera es empinada, con una pendiente de {value}|La pendiente es de {value}, que se puede trabajar|un plano topográfico
slope_degrees=la ladera es empinada|La ladera es empinada, con una pendiente de {value}|La pendiente es de {value}, que se puede trabajar|un plano topográfico
parcel_zoning=la parcela está zonificada|La parcela tiene la zonificación {value}, y lo que se puede construir está en las reglas de ese distrito|La parcela no tiene zonificación|la oficina de zonificación
nearest_sfha_distance_m=el lugar está en una zona especial de inundación|El lugar está junto a una zona especial de inundación|La zona especial de inundación más cercana está a {value}|un certificado de elevación de un agrimensor`;

/** The words of a verdict in Spanish. */
interface SpanishVerdict {
  readonly matter: string;
  readonly yes: string;
  readonly no: string;
  readonly settledBy: string;
}

/** Verdicts in Spanish by field. */
export const SPANISH_VERDICTS: ReadonlyMap<string, SpanishVerdict> = new Map(
  VERDICTS.split('\n').map(line => {
    const [field, words] = line.split('=') as [string, string];
    const [matter, yes, no, settledBy] = words.split('|') as [string, string, string, string];
    return [field, { matter, yes, no, settledBy }];
  }),
);
