import { at, listOf, textOf, textsOf } from "./schema/json.ts";
import { accessModes, type ColumnsByKind, claimOf, orElse, phase, plain, size, truth } from "./table-cell-values.ts";
import { age, created, flag, text, whole } from "./table-columns.ts";
import type { TableColumn } from "./tables.ts";

const volumeColumns = (...path: readonly string[]): readonly TableColumn[] => [
  text("StorageClass", plain(...path, "storageClassName")),
  text("VolumeAttributesClass", orElse("<unset>", ...path, "volumeAttributesClassName")),
];

const volumeMode: TableColumn = text("VolumeMode", orElse("<unset>", "spec", "volumeMode"), 1);

/** The columns of the kinds that store data. */
export const storageCells: ColumnsByKind = {
  "/PersistentVolume": [
    text("Capacity", plain("spec", "capacity", "storage")),
    text("Access Modes", (object) => accessModes(at(object, "spec", "accessModes"))),
    text("Reclaim Policy", plain("spec", "persistentVolumeReclaimPolicy")),
    text("Status", phase),
    text("Claim", claimOf),
    ...volumeColumns("spec"),
    text("Reason", plain("status", "reason")),
    age,
    volumeMode,
  ],
  "/PersistentVolumeClaim": [
    text("Status", phase),
    text("Volume", plain("spec", "volumeName")),
    text("Capacity", (object) =>
      at(object, "spec", "volumeName") ? textOf(at(object, "status", "capacity", "storage")) : "",
    ),
    text("Access Modes", (object) =>
      at(object, "spec", "volumeName") ? accessModes(at(object, "status", "accessModes")) : "",
    ),
    ...volumeColumns("spec"),
    age,
    volumeMode,
  ],
  "storage.k8s.io/CSIDriver": [
    flag("AttachRequired", truth(true, "spec", "attachRequired")),
    flag("PodInfoOnMount", truth(false, "spec", "podInfoOnMount")),
    flag("StorageCapacity", truth(false, "spec", "storageCapacity")),
    text("TokenRequests", (object) => {
      const requests = at(object, "spec", "tokenRequests");
      return requests === undefined
        ? "<unset>"
        : listOf(requests)
            .map((one) => textOf(at(one, "audience")))
            .join(",");
    }),
    flag("RequiresRepublish", truth(false, "spec", "requiresRepublish")),
    text("Modes", (object) => textsOf(at(object, "spec", "volumeLifecycleModes")).join(",") || "<none>"),
    age,
  ],
  "storage.k8s.io/CSINode": [whole("Drivers", size("spec", "drivers")), age],
  "storage.k8s.io/CSIStorageCapacity": [created],
  "storage.k8s.io/StorageClass": [
    text("Provisioner", plain("provisioner")),
    text("ReclaimPolicy", orElse("Delete", "reclaimPolicy")),
    text("VolumeBindingMode", orElse("Immediate", "volumeBindingMode")),
    text("AllowVolumeExpansion", truth(false, "allowVolumeExpansion")),
    age,
  ],
  "storage.k8s.io/VolumeAttachment": [
    { ...text("Attacher", plain("spec", "attacher")), format: "name" },
    text("PV", plain("spec", "source", "persistentVolumeName")),
    text("Node", plain("spec", "nodeName")),
    flag("Attached", truth(false, "status", "attached")),
    age,
  ],
  "storage.k8s.io/VolumeAttributesClass": [text("DriverName", plain("driverName")), age],
};
