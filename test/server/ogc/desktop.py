"""Opens the parcels of an OGC API in QGIS, filters them, draws them, and says as JSON what it saw.

Arguments: address of the OGC API, token, picture to write, and a file with the filters to set, one a line.
"""

import json
import os
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"
from qgis.core import (
    Qgis,
    QgsApplication,
    QgsAuthMethodConfig,
    QgsDataSourceUri,
    QgsFeatureRequest,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsNetworkAccessManager,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor

address, token, picture, filters = sys.argv[1:5]
QgsApplication.setPrefixPath("/usr", True)
application = QgsApplication([], False)
application.initQgis()
sent = []


def remember(request):
    sent.append(bytes(request.url().toEncoded()).decode())
    if not has_header:
        request.setRawHeader(b"Authorization", b"Bearer " + token.encode())


# What stands in the settings of a connection, where this QGIS has such a setting.
manager = QgsApplication.authManager()
has_header = "APIHeader" in manager.authMethodsKeys()
if has_header:
    manager.setMasterPassword("a password of this test", True)
    config = QgsAuthMethodConfig("APIHeader")
    config.setName("Plat")
    config.setConfig("Authorization", "Bearer " + token)
    manager.storeAuthenticationConfig(config)
QgsNetworkAccessManager.setRequestPreprocessor(remember)


def opened(wanted):
    """The layer with a filter. One that is set later loses the header in QGIS 3.40."""
    source = QgsDataSourceUri()
    source.setParam("url", address)
    source.setParam("typename", "parcels")
    source.setParam("version", "OGC_API_FEATURES")
    source.setParam("restrictToRequestBBOX", "1")
    if wanted:
        source.setParam("filter", wanted)
    if has_header:
        source.setAuthConfigId(config.id())
    return QgsVectorLayer(source.uri(False), "parcels", "OAPIF")


layer = opened("")
seen = {
    "version": Qgis.QGIS_VERSION_INT,
    "header": has_header,
    "valid": layer.isValid(),
    "crs": layer.crs().authid(),
    "all": sum(1 for _ in layer.getFeatures()),
    "filters": [],
}
for wanted in open(filters, encoding="utf-8").read().splitlines():
    sent.clear()
    kept = opened(wanted)
    ids = sorted(feature["parcel_id"] for feature in kept.getFeatures())
    filtered = {"taken": kept.subsetString() == wanted, "ids": ids, "sent": list(sent)}
    seen["filters"].append(filtered)


extent = layer.extent()
half = QgsRectangle(
    extent.xMinimum(), extent.yMinimum(), extent.center().x(), extent.center().y()
)
sent.clear()
drawn = layer.getFeatures(QgsFeatureRequest().setFilterRect(half))
seen["drawn"] = {
    "box": [half.xMinimum(), half.yMinimum(), half.xMaximum(), half.yMaximum()],
    "ids": sorted(feature["parcel_id"] for feature in drawn),
    "sent": list(sent),
}

layer.renderer().symbol().setColor(QColor(200, 30, 30))
settings = QgsMapSettings()
settings.setLayers([layer])
settings.setDestinationCrs(layer.crs())
settings.setBackgroundColor(QColor(255, 255, 255))
settings.setOutputSize(QSize(400, 400))
extent.scale(1.5)
settings.setExtent(extent)
job = QgsMapRendererParallelJob(settings)
job.start()
job.waitForFinished()
image = job.renderedImage()
image.save(picture)
view = settings.visibleExtent()
seen["view"] = [view.xMinimum(), view.yMinimum(), view.xMaximum(), view.yMaximum()]
seen["red"] = [
    [x, y]
    for y in range(0, 400, 4)
    for x in range(0, 400, 4)
    for color in [image.pixelColor(x, y)]
    if color.red() > 150 and color.green() < 100
]
print("SEEN " + json.dumps(seen))
sys.stdout.flush()
# Threads of QGIS may still hold what Python would free.
os._exit(0)
