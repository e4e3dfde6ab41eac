export function Player() {
  return (
    <div className="page">
      <title>Film · Kinora</title>
      <h1>Film</h1>
    </div>
  )
}
