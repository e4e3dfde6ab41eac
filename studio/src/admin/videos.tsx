export function Videos() {
  return (
    <div className="page">
      <title>Videos · Kinora</title>
      <h1>Videos</h1>
    </div>
  )
}
