{{- define "kinora.name" -}}
{{- if contains "kinora" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-kinora" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "kinora.selector" -}}
app.kubernetes.io/name: kinora
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "kinora.labels" -}}
{{ include "kinora.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* What every pod has in common. `component`, `args`, `resources` and `root` are given. */}}
{{- define "kinora.pod" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
serviceAccountName: {{ include "kinora.serviceAccount" . }}
automountServiceAccountToken: false
# Draining takes ten seconds at most.
terminationGracePeriodSeconds: 20
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "kinora.selector" . | nindent 8 }}
volumes:
  - name: data
    emptyDir: { sizeLimit: {{ .root.Values.temporaryFiles }} }
  - name: tmp
    emptyDir: {}
  - name: catalogue
    configMap:
      name: {{ include "kinora.name" .root }}-catalogue
      # The migrate Job runs before the chart's own ConfigMap exists.
      optional: true
      {{- with (include "kinora.catalogue" .root | fromYaml).items }}
      items: {{ toYaml . | nindent 8 }}
      {{- end }}
{{- end }}

{{/* The files of CATALOGUE_DIR: keys of the ConfigMap, which have no slash, and their paths. */}}
{{- define "kinora.catalogue" -}}
items:
{{- range $id, $text := .Values.catalogue.models }}
  - { key: {{ printf "%s.json" $id | quote }}, path: {{ printf "models/%s.json" $id | quote }} }
{{- end }}
{{- if .Values.catalogue.providers }}
  - { key: providers-file, path: providers.json }
{{- end }}
{{- if .Values.catalogue.plans }}
  - { key: plans-file, path: plans.json }
{{- end }}
{{- if .Values.catalogue.templates }}
  - { key: templates-file, path: templates.json }
{{- end }}
{{- end }}

{{- define "kinora.container" -}}
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: {{ toJson .args }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ required "existingSecret names a Secret with DATABASE_URL, AUTH_SECRET and the keys" .root.Values.existingSecret }} }
env:
  - { name: PUBLIC_URL, value: {{ .root.Values.publicUrl | quote }} }
  - { name: METRICS_PORT, value: "9090" }
  {{- range $name, $value := .root.Values.settings }}
  {{- if $value }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
  {{- end }}
resources: {{ toYaml .resources | nindent 2 }}
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
  - { name: catalogue, mountPath: /etc/kinora/catalogue, readOnly: true }
{{- end }}

{{/* The migrate Job runs before the chart's own service account exists. */}}
{{- define "kinora.serviceAccount" -}}
{{- if eq .component "migrate" }}default{{ else }}{{ include "kinora.name" .root }}{{ end }}
{{- end }}
